// What all engines are given: the same cloth, the same boxes, the same measure of stretch.

export const STEP = 1 / 60;
export const SIDE = 51; // nodes along a side of the cloth
export const WIDTH = 2, CLOTH_MASS = 0.8, CLOTH_HEIGHT = 1.56;
export const BALL = { place: [0, 1, 0], radius: 0.5 };
export const BOX = { size: 0.2, friction: 0.5, density: 1000, count: 1000 };

/** Where the nodes of the cloth are at the beginning, row by row. */
export function clothNodes() {
    const at = (k) => WIDTH * (k / (SIDE - 1) - 0.5);
    return Array.from({ length: SIDE * SIDE }, (_, i) => [at(i % SIDE), CLOTH_HEIGHT, at(Math.floor(i / SIDE))]);
}

/** Pairs of neighbours along rows and columns. */
export function clothEdges() {
    const edges = [];
    for (let row = 0; row < SIDE; ++row) {
        for (let column = 0; column < SIDE; ++column) {
            const i = row * SIDE + column;
            if (column + 1 < SIDE) edges.push([i, i + 1]);
            if (row + 1 < SIDE) edges.push([i, i + SIDE]);
        }
    }
    return edges;
}

export function clothTriangles() {
    const triangles = [];
    for (let row = 0; row + 1 < SIDE; ++row) {
        for (let column = 0; column + 1 < SIDE; ++column) {
            const i = row * SIDE + column;
            triangles.push([i, i + SIDE, i + 1], [i + 1, i + SIDE, i + SIDE + 1]);
        }
    }
    return triangles;
}

/** Largest and mean stretch of the edges [parts of their length]; what is shorter counts as 0. */
export function stretchOf(positions) {
    const rest = WIDTH / (SIDE - 1), edges = clothEdges();
    let largest = 0, sum = 0;
    for (const [i, k] of edges) {
        const stretch = Math.max(Math.hypot(...positions[i].map((v, axis) => v - positions[k][axis])) / rest - 1, 0);
        largest = Math.max(largest, stretch);
        sum += stretch;
    }
    return { largest, mean: sum / edges.length };
}

/** A block of 10 × 10 × 10 boxes above the ground, a little askew, as in scenes/falling_boxes.json. */
export function boxPlaces() {
    return Array.from({ length: BOX.count }, (_, n) => {
        const i = n % 10, k = Math.floor(n / 10) % 10, layer = Math.floor(n / 100);
        return [-1.35 + 0.3 * i + 0.011 * k + 0.017 * layer, 0.3 + 0.02 * i + 0.02 * k + 0.4 * layer, -1.35 + 0.013 * i + 0.3 * k - 0.013 * layer];
    });
}

/** Turned by 20° about (1, 2, 3): x, y, z, w. */
export const BOX_TURN = (() => {
    const half = (20 * Math.PI) / 360, scale = Math.sin(half) / Math.hypot(1, 2, 3);
    return [scale, 2 * scale, 3 * scale, Math.cos(half)];
})();
