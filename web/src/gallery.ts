// The gallery: all scenes with pictures, in groups.

export interface SceneEntry {
    name: string;
    title: string;
    text: string;
}

export interface GalleryList {
    start: string;
    groups: { title: string; text: string; scenes: SceneEntry[] }[];
}

export class Gallery {
    onPick: (scene: SceneEntry) => void = () => {};
    private list: GalleryList | null = null;

    constructor(private readonly dialog: HTMLDialogElement, private readonly groups: HTMLElement, search: HTMLInputElement) {
        search.addEventListener('input', () => this.filter(search.value.trim().toLowerCase()));
        dialog.addEventListener('click', (event) => {
            if (event.target === dialog) dialog.close();
        });
    }

    show(current: string | null): void {
        for (const card of this.groups.querySelectorAll<HTMLElement>('.card')) card.setAttribute('aria-current', String(card.dataset.scene === current));
        if (!this.dialog.open) this.dialog.showModal();
    }

    find(name: string): SceneEntry | undefined {
        return this.list?.groups.flatMap(({ scenes }) => scenes).find((scene) => scene.name === name);
    }

    fill(list: GalleryList): void {
        this.list = list;
        for (const group of list.groups) {
            const section = document.createElement('section'), title = document.createElement('h3'), text = document.createElement('p'), cards = document.createElement('div');
            section.className = 'group';
            cards.className = 'cards';
            title.textContent = group.title;
            text.textContent = group.text;
            for (const scene of group.scenes) cards.append(this.card(scene));
            section.append(title, text, cards);
            this.groups.append(section);
        }
    }

    private card(scene: SceneEntry): HTMLElement {
        const card = document.createElement('button'), picture = document.createElement('img'), box = document.createElement('div');
        const title = document.createElement('strong'), text = document.createElement('span');
        card.className = 'card';
        card.dataset.scene = scene.name;
        picture.src = `thumbnails/${scene.name}.png`;
        picture.alt = '';
        picture.loading = 'lazy';
        title.textContent = scene.title;
        text.textContent = scene.text;
        box.append(title, text);
        card.append(picture, box);
        card.addEventListener('click', () => {
            this.dialog.close();
            this.onPick(scene);
        });
        return card;
    }

    private filter(text: string): void {
        for (const section of this.groups.querySelectorAll<HTMLElement>('.group')) {
            let any = false;
            for (const card of section.querySelectorAll<HTMLElement>('.card')) {
                card.hidden = !card.textContent!.toLowerCase().includes(text) && !card.dataset.scene!.includes(text);
                any ||= !card.hidden;
            }
            section.hidden = !any;
        }
    }
}
