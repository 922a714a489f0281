// Normals of hulls, which bodies that look round are made of: faces that meet at a small angle look like one bent face,
// also where they are of two hulls that lie side by side. Faces against each other face opposite ways, and do not count.

// 36°, as in pictures of `sinew render`: more than between the sides of a cylinder of twelve.
const COSINE_SMOOTH = 0.80901699;
const SAME_PLACE = 1e-5; // of the farthest corner

/** Takes the normals of faces; gives those of corners, each the mean of faces there that bend little against its own. */
export function smoothNormals(positions: Float32Array, normals: Float32Array): Float32Array<ArrayBuffer> {
    const meeting = new Map<string, number[]>();
    const grain = SAME_PLACE * positions.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const placeOf = (at: number): string => `${Math.round(positions[at] / grain)},${Math.round(positions[at + 1] / grain)},${Math.round(positions[at + 2] / grain)}`;
    const dot = (a: number, b: number): number => normals[a] * normals[b] + normals[a + 1] * normals[b + 1] + normals[a + 2] * normals[b + 2];
    for (let at = 0; at < positions.length; at += 3) {
        const place = placeOf(at), known = meeting.get(place);
        if (known === undefined) meeting.set(place, [at]);
        else if (!known.some((other) => dot(at, other) > 0.9999)) known.push(at);
    }
    const smooth = new Float32Array(normals.length);
    for (let at = 0; at < positions.length; at += 3) {
        const sum = [0, 0, 0];
        for (const other of meeting.get(placeOf(at))!) if (dot(at, other) > COSINE_SMOOTH) for (let i = 0; i < 3; ++i) sum[i] += normals[other + i];
        const length = Math.hypot(...sum);
        for (let i = 0; i < 3; ++i) smooth[at + i] = sum[i] / length;
    }
    return smooth;
}
