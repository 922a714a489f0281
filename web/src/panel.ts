// The controls of the physics, made from one table.
import type { SettingName, Settings } from './engine';

interface Control {
    name: SettingName;
    label: string;
    kind: 'range' | 'switch' | 'choice';
    // Of ranges: the slider runs over its own numbers.
    range?: [lower: number, upper: number, step: number];
    toValue?: (slider: number) => number;
    toSlider?: (value: number) => number;
    text?: (value: number) => string;
    choices?: [value: number, label: string][];
    title?: string;
}

const factor = {
    range: [-2, 2, 0.05] as [number, number, number],
    toValue: (slider: number) => 10 ** slider,
    toSlider: (value: number) => Math.log10(Math.max(value, 1e-2)),
    text: (value: number) => `× ${value < 0.1 ? value.toPrecision(1) : value.toPrecision(2)}`,
};

const controls: Control[] = [
    { name: 'gravity', label: 'Gravity', kind: 'range', range: [0, 30, 0.1], text: (v) => `${v.toFixed(1)} m/s²` },
    { name: 'stiffness', label: 'Stiffness of soft things', kind: 'range', ...factor },
    { name: 'friction', label: 'Friction', kind: 'range', range: [0, 4, 0.05], text: (v) => `× ${v.toFixed(2)}` },
    { name: 'subSteps', label: 'Sub-steps', kind: 'range', range: [0, 64, 1], text: (v) => (v === 0 ? 'by itself' : String(v)), title: '0 lets the engine choose' },
    { name: 'longRange', label: 'Long-range constraints', kind: 'switch', title: 'Carries loads through many light things' },
    { name: 'sleep', label: 'Sleep at rest', kind: 'switch' },
    { name: 'solver', label: 'Solver', kind: 'choice', choices: [[0, 'velocity'], [1, 'staggered'], [2, 'position']] },
    { name: 'iterations', label: 'Iterations', kind: 'range', range: [1, 50, 1], text: (v) => String(v), title: 'Of the staggered and the position solver; the velocity solver takes sub-steps instead' },
];

export class Panel {
    onChange: (name: SettingName, value: number) => void = () => {};
    private readonly rows = new Map<SettingName, { row: HTMLElement; input: HTMLInputElement | HTMLSelectElement; output: HTMLOutputElement | null; control: Control }>();

    constructor(parent: HTMLElement) {
        for (const control of controls) this.addRow(parent, control);
    }

    private addRow(parent: HTMLElement, control: Control): void {
        const row = document.createElement('div'), label = document.createElement('label'), id = `control-${control.name}`;
        row.className = 'row';
        label.htmlFor = id;
        label.textContent = control.label;
        row.title = control.title ?? '';
        row.append(label);
        let input: HTMLInputElement | HTMLSelectElement, output: HTMLOutputElement | null = null;
        if (control.kind === 'choice') {
            input = document.createElement('select');
            for (const [value, text] of control.choices!) input.append(new Option(text, String(value)));
            row.append(input);
        } else {
            input = document.createElement('input');
            if (control.kind === 'switch') {
                input.type = 'checkbox';
                input.className = 'switch';
            } else {
                output = document.createElement('output');
                row.append(output);
                input.type = 'range';
                [input.min, input.max, input.step] = control.range!.map(String);
            }
            row.append(input);
        }
        input.id = id;
        input.dataset.control = control.name;
        input.addEventListener('input', () => {
            const value = this.read(control, input);
            if (output !== null) output.textContent = control.text!(value);
            row.classList.add('changed');
            if (control.name === 'solver') this.offerIterations(value);
            this.onChange(control.name, value);
        });
        parent.append(row);
        this.rows.set(control.name, { row, input, output, control });
    }

    private read(control: Control, input: HTMLInputElement | HTMLSelectElement): number {
        if (input instanceof HTMLInputElement && control.kind === 'switch') return input.checked ? 1 : 0;
        const number = Number(input.value);
        return control.toValue?.(number) ?? number;
    }

    /** The velocity solver has none. */
    private offerIterations(solver: number): void {
        this.rows.get('iterations')!.row.hidden = solver === 0;
    }

    /** Shows what is in force, and marks what is not as the scene has it. */
    show(scene: Settings, changed: Partial<Settings>): void {
        for (const [name, { row, input, output, control }] of this.rows) {
            const value = changed[name] ?? scene[name];
            if (input instanceof HTMLInputElement && control.kind === 'switch') input.checked = value !== 0;
            else input.value = String(control.toSlider?.(value) ?? value);
            if (output !== null) output.textContent = control.text!(value);
            row.classList.toggle('changed', changed[name] !== undefined);
        }
        this.offerIterations(changed.solver ?? scene.solver);
    }
}
