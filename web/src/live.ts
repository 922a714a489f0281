// `sinew view`: the page is served beside a scene file; it asks whether the file changed, and shows what is wrong
// with it.

export interface LiveScene {
    version: number;
    name: string;
    error: string;
}

const INTERVAL = 700; // milliseconds

export async function askLive(): Promise<LiveScene | null> {
    try {
        const answer = await fetch('view.json', { cache: 'no-store' });
        return answer.ok ? ((await answer.json()) as LiveScene) : null;
    } catch {
        return null;
    }
}

/** Calls back whenever another version is there. */
export function watchLive(first: LiveScene, changed: (scene: LiveScene) => void): void {
    let version = first.version;
    setInterval(async () => {
        const scene = await askLive();
        if (scene !== null && scene.version !== version) {
            version = scene.version;
            changed(scene);
        }
    }, INTERVAL);
}
