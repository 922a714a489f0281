// @ts-check
// The module as it travels: what follows opcodes lies with its like, the first numbers of all loads together, then
// their second ones, and so on, because gzip finds there what it knows already: a quarter less than of the module as it is.
// Packing and unpacking are one walk over the module's instructions, which copies them from streams to streams; the
// module as it is, is a stream, too, that takes the place of all.

const CODE_SECTION = 10, HEADER_BYTES = 8;
const TABLE_OF_BRANCHES = 0x0e, TYPED_SELECT = 0x1c;
// Streams: what is no function, sizes of functions, their variables, opcodes; then for each opcode first numbers, second ones, bytes.
const REST = 0, SIZES = 1, LOCALS = 2, OPCODES = 3, OPERANDS = 4, KINDS = 512, STREAMS = OPERANDS + 3 * KINDS;
// Opcodes of two parts are told from others by what is added to the second.
const BULK = 0xfc, VECTOR = 0xfd, BULK_KIND = 0xe0, VECTOR_KIND = 0x100;

/** How many numbers and bytes follow an opcode. */
const numbers = new Uint8Array(KINDS), bytes = new Uint8Array(KINDS);
/** @type {(table: Uint8Array, count: number, first: number, last?: number) => void} */
const fill = (table, count, first, last = first) => void table.fill(count, first, last + 1);
fill(numbers, 1, 0x02, 0x04); // blocks
fill(numbers, 1, 0x0c, 0x0d); // branches
fill(numbers, 1, 0x10), fill(numbers, 2, 0x11); // calls
fill(numbers, 1, 0x20, 0x26); // variables, tables
fill(numbers, 2, 0x28, 0x3e), fill(numbers, 1, 0x3f, 0x40); // memory
fill(numbers, 1, 0x41, 0x42), fill(bytes, 4, 0x43), fill(bytes, 8, 0x44); // constants
fill(numbers, 1, 0xd0), fill(numbers, 1, 0xd2); // references
fill(numbers, 2, BULK_KIND + 8, BULK_KIND + 17);
for (const one of [9, 11, 13, 15, 16, 17]) fill(numbers, 1, BULK_KIND + one);
for (const [first, last] of [[0, 11], [84, 93]]) fill(numbers, 2, VECTOR_KIND + first, VECTOR_KIND + last); // memory
fill(bytes, 16, VECTOR_KIND + 12, VECTOR_KIND + 13); // constants, shuffles
fill(bytes, 1, VECTOR_KIND + 21, VECTOR_KIND + 34), fill(bytes, 1, VECTOR_KIND + 84, VECTOR_KIND + 91); // lanes

/** @typedef {{ data: Uint8Array, at: number }} Stream */

/**
 * Copies a module of this many bytes, each piece from its stream to its stream.
 * @param {number} size
 * @param {(number: number) => Stream} from
 * @param {(number: number) => Stream} to
 */
function copyModule(size, from, to) {
    let copied = 0;
    /** Returns the last byte. @type {(stream: number, count: number) => number} */
    const copy = (stream, count) => {
        const source = from(stream), target = to(stream);
        target.data.set(source.data.subarray(source.at, source.at + count), target.at);
        source.at += count;
        target.at += count;
        copied += count;
        return target.data[target.at - 1];
    };
    /** @type {(stream: number) => number} */
    const copyNumber = (stream) => {
        const source = from(stream), target = to(stream);
        for (let value = 0, shift = 0; ; shift += 7) {
            const byte = (target.data[target.at++] = source.data[source.at++]);
            ++copied;
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
    };
    const copyInstruction = () => {
        const first = copy(OPCODES, 1);
        const kind = first === BULK ? BULK_KIND + copyNumber(OPCODES) : first === VECTOR ? VECTOR_KIND + copyNumber(OPCODES) : first;
        const stream = OPERANDS + kind;
        if (kind === TABLE_OF_BRANCHES) for (let left = copyNumber(stream); left >= 0; --left) copyNumber(stream);
        if (kind === TYPED_SELECT) copy(stream, copyNumber(stream));
        for (let i = 0; i < numbers[kind]; ++i) copyNumber(stream + i * KINDS);
        if (bytes[kind] > 0) copy(stream + 2 * KINDS, bytes[kind]);
    };
    const copyFunction = () => {
        const end = copyNumber(SIZES) + copied;
        for (let groups = copyNumber(LOCALS); groups > 0; --groups) {
            copyNumber(LOCALS);
            copy(LOCALS, 1);
        }
        while (copied < end) copyInstruction();
    };
    copy(REST, HEADER_BYTES);
    while (copied < size) {
        const section = copy(REST, 1), length = copyNumber(REST);
        if (section !== CODE_SECTION) copy(REST, length);
        else for (let left = copyNumber(REST); left > 0; --left) copyFunction();
    }
}

/**
 * A module's size, sizes of its streams, and the streams, one after the other.
 * @param {Uint8Array} module
 */
export function pack(module) {
    const source = { data: module, at: 0 };
    const streams = Array.from({ length: STREAMS }, () => ({ data: new Uint8Array(0), at: 0 }));
    copyModule(module.length, () => source, (number) => {
        const stream = streams[number];
        if (stream.data.length === 0) stream.data = new Uint8Array(module.length);
        return stream;
    });
    const sizes = Uint32Array.of(module.length, ...streams.map(({ at }) => at));
    const packed = new Uint8Array(sizes.byteLength + module.length);
    packed.set(new Uint8Array(sizes.buffer));
    let at = sizes.byteLength;
    for (const stream of streams) {
        packed.set(stream.data.subarray(0, stream.at), at);
        at += stream.at;
    }
    return packed;
}

/** @param {Uint8Array<ArrayBuffer>} packed */
export function unpack(packed) {
    const [size, ...sizes] = new Uint32Array(packed.buffer, packed.byteOffset, 1 + STREAMS);
    let begin = 4 * (1 + STREAMS);
    const streams = sizes.map((length) => ({ data: packed, at: (begin += length) - length }));
    const target = { data: new Uint8Array(size), at: 0 };
    copyModule(size, (number) => streams[number], () => target);
    return target.data;
}
