# The picture of docs/integrators.md from the output of its program:
#   gnuplot -e "data='energies.txt'; picture='integrators.png'" tools/integrators.gp
set terminal pngcairo size 1000,400 font "DejaVu Sans,11" background "white"
set output picture
set border 3
set tics nomirror
set grid ytics lc rgb "#dddddd"
set xlabel "time, in 1/ω (steps of a tenth)"
set key left top reverse Left samplen 2
set multiplot layout 1, 2
set title "energy, over what it was"
set logscale y
set yrange [0.03:30]
set ytics ("1/20" 0.05, "1/10" 0.1, "1/5" 0.2, "1/2" 0.5, "1" 1, "2" 2, "5" 5, "10" 10, "20" 20)
plot data using 1:3 with lines lw 2.5 lc rgb "#c03a2b" title "explicit Euler", \
     data using 1:4 with lines lw 2.5 lc rgb "#999999" title "all others", \
     data using 1:7 with lines lw 2.5 lc rgb "#7a4fa3" title "implicit Euler"
set title "the others, closer"
unset logscale y
set yrange [0.93:1.10]
set ytics auto
plot data using 1:2 with lines lw 2.5 lc rgb "#2a6fbb" title "Euler–Cromer (default)", \
     data using 1:4 with lines lw 5 lc rgb "#e0a030" title "midpoint", \
     data using 1:5 with lines lw 1.5 lc rgb "#333333" title "Heun", \
     data using 1:6 with lines lw 2.5 lc rgb "#2e9a58" title "Verlet"
