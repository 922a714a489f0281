// Memory for the engine and the page: a list of free pieces in order of their addresses, of which the first
// that is large enough is taken, and neighbours become one again. Warm steps take none, so that what counts
// is how little code it is: every byte is fetched before the first picture.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT      64 // what pieces are aligned to and multiples of [bytes]
#define PAGE_SIZE 65536
// Before what callers see: the size of the piece, with this. A whole unit keeps the rest aligned.
#define HEAD UNIT

typedef struct piece {
    size_t size;
    struct piece *next; // of free ones
} piece;

static piece *free_pieces;
extern unsigned char __heap_base;

// Between its neighbours in the list, and one with those that it touches.
static void put_back(piece *given)
{
    piece **place = &free_pieces, *before = NULL;
    while (*place != NULL && *place < given) {
        before = *place;
        place = &before->next;
    }
    given->next = *place;
    *place = given;
    if (given->next == (piece *)((char *)given + given->size)) {
        given->size += given->next->size;
        given->next = given->next->next;
    }
    if (before != NULL && given == (piece *)((char *)before + before->size)) {
        before->size += given->size;
        before->next = given->next;
    }
}

// More memory from the page; false if there is none.
static int grow(size_t size)
{
    static uintptr_t end;
    if (end == 0) {
        end = ((uintptr_t)&__heap_base + UNIT - 1) / UNIT * UNIT;
    }
    size_t had = __builtin_wasm_memory_size(0) * PAGE_SIZE - end;
    size_t pages = had >= size ? 0 : (size - had + PAGE_SIZE - 1) / PAGE_SIZE;
    if (pages > 0 && __builtin_wasm_memory_grow(0, pages) == SIZE_MAX) {
        return 0;
    }
    piece *fresh = (piece *)end;
    fresh->size = had + pages * PAGE_SIZE;
    end += fresh->size;
    put_back(fresh);
    return 1;
}

void *malloc(size_t size)
{
    if (size > PTRDIFF_MAX) {
        return NULL;
    }
    size_t whole = (size + HEAD + UNIT - 1) / UNIT * UNIT;
    piece **place = &free_pieces;
    while (*place == NULL || (*place)->size < whole) {
        if (*place != NULL) {
            place = &(*place)->next;
        } else if (grow(whole)) {
            place = &free_pieces;
        } else {
            return NULL;
        }
    }
    piece *found = *place;
    size_t rest = found->size - whole;
    if (rest > 0) { // the end of it, so that the list stays as it is
        found->size = rest;
        found = (piece *)((char *)found + rest);
        found->size = whole;
    } else {
        *place = found->next;
    }
    return (char *)found + HEAD;
}

void free(void *memory)
{
    if (memory != NULL) {
        put_back((piece *)((char *)memory - HEAD));
    }
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return alignment <= UNIT ? malloc(size) : NULL;
}

void *calloc(size_t count, size_t size)
{
    void *memory = size != 0 && count > SIZE_MAX / size ? NULL : malloc(count * size);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

void *realloc(void *memory, size_t size)
{
    void *moved = malloc(size);
    if (moved != NULL && memory != NULL) {
        size_t had = ((piece *)((char *)memory - HEAD))->size - HEAD;
        memcpy(moved, memory, had < size ? had : size);
        free(memory);
    }
    return moved;
}
