// Live plots: the last seconds of a few figures, drawn on small canvases.
import type { Figures } from './engine';

interface Series {
    name: string;
    color: string;
    value: (figures: Figures) => number;
}

interface PlotDefinition {
    title: string;
    unit: string;
    stacked: boolean;
    series: Series[];
}

const LENGTH = 180; // samples

const definitions: PlotDefinition[] = [
    {
        title: 'Time a step',
        unit: 'ms',
        stacked: true,
        series: [
            { name: 'contacts', color: '#e0843f', value: (f) => f.collide },
            { name: 'rows', color: '#d1b04a', value: (f) => f.prepare },
            { name: 'solve', color: '#3f7fb8', value: (f) => f.solve },
            { name: 'inner forces', color: '#8a6bb5', value: (f) => f.models },
            { name: 'motion', color: '#4fa37a', value: (f) => f.integrate },
        ],
    },
    {
        title: 'Energy',
        unit: 'J',
        stacked: false,
        series: [
            { name: 'kinetic', color: '#d9572f', value: (f) => f.kinetic },
            { name: 'elastic', color: '#8a6bb5', value: (f) => f.elastic },
        ],
    },
    {
        title: 'Largest error',
        unit: '',
        stacked: false,
        series: [
            { name: 'joints [mm]', color: '#3f7fb8', value: (f) => 1e3 * f.jointError },
            { name: 'stretch [%]', color: '#4fa37a', value: (f) => 1e2 * f.stretch },
        ],
    },
];

class Plot {
    private readonly samples: number[][] = [];
    private readonly canvas = document.createElement('canvas');
    private readonly reading = document.createElement('span');

    constructor(private readonly definition: PlotDefinition, parent: HTMLElement) {
        const box = document.createElement('div'), head = document.createElement('div'), legend = document.createElement('div');
        box.className = 'plot';
        box.dataset.plot = definition.title;
        head.append(definition.title, this.reading);
        legend.className = 'legend';
        for (const { name, color } of definition.series) {
            const entry = document.createElement('span'), dot = document.createElement('i');
            dot.style.background = color;
            entry.append(dot, name);
            legend.append(entry);
        }
        box.append(head, this.canvas, legend);
        parent.append(box);
    }

    add(figures: Figures): void {
        this.samples.push(this.definition.series.map(({ value }) => value(figures)));
        if (this.samples.length > LENGTH) this.samples.shift();
    }

    clear(): void {
        this.samples.length = 0;
    }

    draw(): void {
        const { canvas, samples, definition } = this, ratio = Math.min(devicePixelRatio, 2);
        const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
        if (width === 0) return;
        if (canvas.width !== width || canvas.height !== height) {
            canvas.width = width;
            canvas.height = height;
        }
        const context = canvas.getContext('2d')!;
        context.clearRect(0, 0, width, height);
        const heightOf = (row: number[]) => (definition.stacked ? row.reduce((sum, v) => sum + v, 0) : Math.max(...row));
        const top = Math.max(...samples.map(heightOf), 1e-9) * 1.1;
        const x = (i: number) => ((i + LENGTH - samples.length) / (LENGTH - 1)) * width, y = (v: number) => height - (v / top) * height;
        const base = samples.map(() => 0);
        definition.series.forEach(({ color }, s) => {
            const tops = samples.map((row, i) => (definition.stacked ? base[i] + row[s] : row[s]));
            context.beginPath();
            tops.forEach((v, i) => context.lineTo(x(i), y(v)));
            if (definition.stacked) {
                for (let i = samples.length - 1; i >= 0; --i) context.lineTo(x(i), y(base[i]));
                context.fillStyle = color;
                context.fill();
                tops.forEach((v, i) => (base[i] = v));
            } else {
                context.strokeStyle = color;
                context.lineWidth = 1.6 * ratio;
                context.stroke();
            }
        });
        const last = samples[samples.length - 1];
        this.reading.textContent = last === undefined ? '' : definition.unit === '' ? last.map((v) => v.toPrecision(2)).join(' · ') : `${heightOf(last).toPrecision(3)} ${definition.unit}`;
    }
}

export class Plots {
    private readonly plots: Plot[];

    constructor(parent: HTMLElement) {
        this.plots = definitions.map((definition) => new Plot(definition, parent));
    }

    add(figures: Figures): void {
        for (const plot of this.plots) plot.add(figures);
    }

    clear(): void {
        for (const plot of this.plots) plot.clear();
    }

    draw(): void {
        for (const plot of this.plots) plot.draw();
    }
}
