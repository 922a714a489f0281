#!/usr/bin/env bash
# Draws the pictures of README and docs anew.
#
#   tools/pictures.sh [build folder, default build/release]
#
# Small ones of every scene go to docs/pictures/scenes/; large ones and sheets of many, put together by ffmpeg,
# to docs/pictures/. The last ones, of the papers' figures, take minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
sinew=$(cd "${1:-build/release}" && pwd)/apps/sinew
pictures=docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Scene and the time that shows best what it is about [s].
rigid='arch:1.5 bridge:3 chains:1.2 cradle:1 dominoes:6 gears:2 marbles:3 mass_ratios:1 pendulum:1.5 ragdoll:1.2 slopes:1.5
       stack:1 tower:0 tumbler:2 vase:1.6 vehicle:3 wrecking_ball:3'
long='cable_car:1.5 crane:3 crossbow:1.06 heavy_chain:1.2 hinge_chain:0.5 rope_bridge:0.5 tank:3.5 tower_hit:1.9'
soft='jelly_chocolate_dish:0.36 cloth_sphere:6 cloth_rolling_sphere:4 rope_wheel:0.7 trampoline:1.3 flag:3 curtain:1.1 jelly_rods:3
      gripper:3.5 ball_in_ball:1 cushion:4 hammock:5 soft_tyre:2 plank_bridge:1.6 jelly_stack:6 two_sheets:4 folded_cloth:3.2 ten_sheets:2.5 scarf_torus:3
      jelly_press:2.2 towel:3.5 drawn_curtain:2.6 knot:3.4 coiled_rope:4 rope_net:1.6 tablecloth:0.8 jelly_bowl:3 jelly_funnel:0.62 cloth_roll:3'
position='bunnies_on_cloth:1 falling_boxes:2 spring_pendulum:1'
loads='hung_cloth:2 person_in_hammock:3 storm_flag:2'
more='cow:1 cable_lift:1'
moving='parcels:5.8'
exact='checkerboard:1.6 rope_robot:1.6 net_bridge:4.5 assembly:9 marionette:0.9'

# Small files: 256 colours are enough for small pictures.
reduce() { # <from> <to>
    ffmpeg -loglevel error -y -i "$1" -frames:v 1 \
        -vf 'split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a' "$2"
}

mkdir -p "$pictures/scenes"
for entry in $rigid $soft $exact $long $position $loads $more $moving; do
    "$sinew" render "scenes/${entry%%:*}.json" --at "${entry##*:}" --size 320x180 --samples 8 \
        -o "$work/${entry%%:*}.png" >/dev/null
    reduce "$work/${entry%%:*}.png" "$pictures/scenes/${entry%%:*}.png"
done

# Before and after the bar has come down.
for time in 0.04 0.36; do
    "$sinew" render scenes/jelly_chocolate_dish.json --at "$time" --size 640x420 --samples 8 -o "$work/at_$time.png" >/dev/null
done
ffmpeg -loglevel error -y -i "$work/at_0.04.png" -i "$work/at_0.36.png" -filter_complex hstack -frames:v 1 \
    "$pictures/jelly_chocolate_dish.png"
"$sinew" render scenes/cloth_sphere.json --at 6 --size 1120x630 --samples 8 -o "$pictures/cloth_sphere.png" >/dev/null
for entry in marbles:3:960x540 tower:0:960x540 wrecking_ball:3:1280x640 tutorial/first_1:3:640x400 tutorial/first_2:3:640x400; do
    IFS=: read -r name time size <<<"$entry"
    "$sinew" render "scenes/$name.json" --at "$time" --size "$size" --samples 8 -o "$work/large.png" >/dev/null
    case $name in
    tutorial/first_*) reduce "$work/large.png" "$pictures/tutorial_${name##*_}.png" ;;
    *) reduce "$work/large.png" "$pictures/$name.png" ;;
    esac
done
"$sinew" render scenes/tutorial/first_3.json --at 3 --overlay joints --size 640x400 --samples 8 -o "$work/large.png" >/dev/null
reduce "$work/large.png" "$pictures/tutorial_3.png"
"$sinew" run scenes/tutorial/first_3.json --seconds 2 --trace "$work/first.csv" >/dev/null
"$sinew" plot "$work/first.csv" -o "$pictures/tutorial_4.svg" >/dev/null
"$sinew" render scenes/soft_tyre.json --at 1.2 --heat strain --size 800x450 --samples 8 -o "$work/strain.png" >/dev/null
reduce "$work/strain.png" "$pictures/strain.png"

# What the program in docs/integrators.md prints.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/integrators.md >"$work/swing.c"
cc -std=c17 -Iinclude "$work/swing.c" "$(dirname "$sinew")/../libsinew.a" -lm -pthread -o "$work/swing"
"$work/swing" >"$work/energies.txt"
gnuplot -e "data='$work/energies.txt'; picture='$work/integrators.png'" tools/integrators.gp
reduce "$work/integrators.png" "$pictures/integrators.png"

# Four columns of small pictures.
sheet() { # <file> <entries…>
    local file=$1 inputs=() layout='' count=0
    shift
    for entry in "$@"; do
        inputs+=(-i "$work/${entry%%:*}.png")
        layout+="${layout:+|}$((count % 4 * 320))_$((count / 4 * 180))"
        count=$((count + 1))
    done
    ffmpeg -loglevel error -y "${inputs[@]}" -filter_complex "xstack=inputs=$count:layout=$layout" -frames:v 1 \
        "$work/sheet.png"
    reduce "$work/sheet.png" "$file"
}
# shellcheck disable=SC2086
sheet "$pictures/soft_gallery.png" ${soft#* }
# shellcheck disable=SC2086
sheet "$pictures/long_range.png" $long
sheet "$pictures/gallery.png" arch bridge chains cradle dominoes gears mass_ratios pendulum ragdoll slopes tumbler vehicle

# What the programs of examples/ did: two rows of two.
inputs=()
for entry in cloth_on_box:recording:1.5 pick_and_throw:recording:1.2 rope_bridge:recording:2.5 rewind:state:0; do
    cc -std=c17 -Iinclude "examples/${entry%%:*}.c" "$(dirname "$sinew")/../scene/libsinew_scene.a" "$(dirname "$sinew")/../libsinew.a" \
        $(pkg-config --libs jansson assimp) -lm -pthread -o "$work/program"
    (cd "$work" && ./program >/dev/null)
    IFS=: read -r name ending time <<<"$entry"
    "$sinew" render "$work/$name.$ending" --at "$time" --size 640x400 --samples 8 -o "$work/${entry%%:*}.png" >/dev/null
    inputs+=(-i "$work/${entry%%:*}.png")
done
ffmpeg -loglevel error -y "${inputs[@]}" -filter_complex 'xstack=inputs=4:layout=0_0|640_0|0_400|640_400' -frames:v 1 "$work/sheet.png"
reduce "$work/sheet.png" "$pictures/examples.png"

# Before and after: two rows of three.
inputs=()
for entry in checkerboard:0.5 rope_robot:1.6 net_bridge:2.9 checkerboard:1.6 marionette:0.9 assembly:9; do
    "$sinew" render "scenes/${entry%%:*}.json" --at "${entry##*:}" --size 426x256 --samples 8 -o "$work/$entry.png" >/dev/null
    inputs+=(-i "$work/$entry.png")
done
ffmpeg -loglevel error -y "${inputs[@]}" -filter_complex \
    'xstack=inputs=6:layout=0_0|426_0|852_0|0_256|426_256|852_256' -frames:v 1 "$work/sheet.png"
reduce "$work/sheet.png" "$pictures/exact.png"

# The figures of the papers: sheets of two columns, and plots.
"$sinew" figures -o "$work/figures" >/dev/null
figure_sheet() { # <paper> <pictures…>
    local paper=$1 inputs=() scales='' names='' layout='' count=0
    shift
    for name in "$@"; do
        inputs+=(-i "$work/figures/$name.png")
        scales+="[$count:v]scale=480:270[s$count];"
        names+="[s$count]"
        layout+="${layout:+|}$((count % 2 * 480))_$((count / 2 * 270))"
        count=$((count + 1))
    done
    ffmpeg -loglevel error -y "${inputs[@]}" -filter_complex "${scales}${names}xstack=inputs=$count:layout=$layout" \
        -frames:v 1 "$work/sheet.png"
    reduce "$work/sheet.png" "$pictures/paper_$paper.png"
}
figure_sheet vezzaro vezzaro-2-paper vezzaro-2-velocity vezzaro-3-paper vezzaro-3-velocity vezzaro-4-paper vezzaro-4-velocity
figure_sheet gissler gissler-1-hanging gissler-1-released gissler-3 gissler-4-bridge
figure_sheet francu francu-1-boxes francu-1-bunnies francu-1-cow francu-friction-position
figure_sheet muller muller-lift-128 muller-lift-default muller-14-auto muller-14-10 muller-15-20-auto muller-15-20 muller-17-auto muller-17-10 \
    muller-18-auto muller-18-off
mkdir -p "$pictures/figures"
for plot in vezzaro-1 vezzaro-5 vezzaro-errata-bias gissler-2 gissler-errata francu-residuals muller-iterations; do
    cp "$work/figures/$plot.svg" "$pictures/figures/"
done
