// A short guided tour: a few scenes, what to do in them, and what to look for.

export interface Stop {
    text: string;
    scene?: string;
    enter?: 'longRangeShown' | 'longRangeOff' | 'longRangeOn' | 'cut' | 'hand' | 'split';
}

const stops: Stop[] = [
    { scene: 'jelly_chocolate_dish', text: 'Four jellies, each held in shape in a way of its own, catch a bar of chocolate. Grab a jelly and pull: the number beside your hand is the force you pull with.' },
    { scene: 'heavy_chain', text: 'Chains of thirty light links carry 1, 100 and 10,000 times the mass of a link. Pull at the heavy ball and let go: its chain does not stretch.' },
    { enter: 'longRangeShown', text: 'What carries it are long-range constraints, drawn here: every link knows how far from the ceiling it can get. The engine finds them by itself.' },
    { enter: 'longRangeOff', text: 'Now they are off. The load has to travel from joint to joint, and the chain is torn apart.' },
    { enter: 'longRangeOn', text: 'On again, from the beginning. The switch is among the settings of any scene.' },
    { scene: 'curtain', enter: 'cut', text: 'Scissors: draw a stroke through the curtain.' },
    { scene: 'wrecking_ball', enter: 'hand', text: 'Eight hundred bricks and a ball on a chain. Throw it harder, or take a brick out.' },
    { scene: 'cloth_sphere', enter: 'split', text: 'The same cloth twice: choose A or B under Physics, change a setting of one of them, and compare. Your hand pulls at both.' },
    { text: 'That was it. All scenes are behind the name in the top left corner; press ? for the keys.' },
];

export class Tour {
    onStop: (stop: Stop) => void = () => {};
    private at = -1;

    constructor(private readonly box: HTMLElement, private readonly text: HTMLElement, private readonly place: HTMLElement, next: HTMLElement, end: HTMLElement) {
        next.addEventListener('click', () => this.go(this.at + 1));
        end.addEventListener('click', () => this.go(-1));
    }

    start(): void {
        this.go(0);
    }

    private go(index: number): void {
        this.at = index < stops.length ? index : -1;
        this.box.hidden = this.at < 0;
        if (this.at < 0) return;
        const stop = stops[this.at];
        this.text.textContent = stop.text;
        this.place.textContent = `${this.at + 1} of ${stops.length}`;
        this.onStop(stop);
    }
}
