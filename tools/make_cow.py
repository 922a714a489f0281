#!/usr/bin/env python3
"""Makes scenes/meshes/cow.obj: a cow of smooth blobs, as a closed surface.

    tools/make_cow.py > scenes/meshes/cow.obj

The surface of a sum of rounded parts (ellipsoids and capsules, blended), by marching tetrahedra. It looks along x and
stands on y = 0 [m].
"""
import itertools
import math

CELL = 0.055
LOWER, UPPER = (-0.75, -0.05, -0.35), (1.05, 1.15, 0.35)
BLEND = 0.035

ELLIPSOIDS = [  # centre, radii
    ((0.0, 0.64, 0.0), (0.5, 0.25, 0.23)),
    ((0.70, 0.82, 0.0), (0.16, 0.13, 0.12)),
    ((0.83, 0.75, 0.0), (0.09, 0.08, 0.09)),
    ((-0.2, 0.40, 0.0), (0.11, 0.09, 0.10)),
]
CAPSULES = [  # ends, radius; both sides
    ((0.36, 0.70, 0.0), (0.62, 0.82, 0.0), 0.125),
    ((0.32, 0.50, 0.15), (0.33, 0.08, 0.15), 0.088),
    ((-0.34, 0.50, 0.15), (-0.35, 0.08, 0.15), 0.088),
    ((0.66, 0.90, 0.08), (0.65, 1.03, 0.15), 0.042),
    ((0.62, 0.86, 0.09), (0.56, 0.86, 0.22), 0.045),
    ((-0.48, 0.74, 0.0), (-0.60, 0.36, 0.0), 0.045),
]


def ellipsoid(p, part):
    centre, radii = part
    k = [(a - c) / r for a, c, r in zip(p, centre, radii)]
    return (math.sqrt(sum(x * x for x in k)) - 1.0) * min(radii)


def capsule(p, part):
    a, b, radius = part
    ab = [y - x for x, y in zip(a, b)]
    t = sum((q - x) * d for q, x, d in zip(p, a, ab)) / sum(d * d for d in ab)
    t = max(0.0, min(1.0, t))
    return math.dist(p, [x + t * d for x, d in zip(a, ab)]) - radius


def distance(p):
    """Negative inside; parts are blended."""
    p = (p[0], p[1], abs(p[2]))
    sides = [ellipsoid(p, part) for part in ELLIPSOIDS] + [capsule(p, part) for part in CAPSULES]
    return -BLEND * math.log(sum(math.exp(-s / BLEND) for s in sides))


def march():
    counts = [round((u - l) / CELL) for l, u in zip(LOWER, UPPER)]
    place = lambda i: tuple(l + k * CELL for l, k in zip(LOWER, i))
    values = {i: distance(place(i)) for i in itertools.product(*(range(c + 1) for c in counts))}
    vertices, numbers, triangles = [], {}, []

    def cut(a, b):
        key = (min(a, b), max(a, b))
        if key not in numbers:
            t = values[key[0]] / (values[key[0]] - values[key[1]])
            t = min(max(t, 0.08), 0.92)  # no slivers
            vertices.append([x + t * (y - x) for x, y in zip(place(key[0]), place(key[1]))])
            numbers[key] = len(vertices)
        return numbers[key]

    def add(corners, outward):
        a, b, c = (vertices[i - 1] for i in corners)
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        triangles.append(corners if sum(x * y for x, y in zip(n, outward)) > 0 else corners[::-1])

    for cell in itertools.product(*(range(c) for c in counts)):
        for order in itertools.permutations(range(3)):  # six tetrahedra around the diagonal
            corner, tetrahedron = list(cell), [cell]
            for axis in order:
                corner[axis] += 1
                tetrahedron.append(tuple(corner))
            inside = [c for c in tetrahedron if values[c] < 0]
            outside = [c for c in tetrahedron if values[c] >= 0]
            if not inside or not outside:
                continue
            middle = lambda cs: [sum(place(c)[k] for c in cs) / len(cs) for k in range(3)]
            outward = [x - y for x, y in zip(middle(outside), middle(inside))]
            if len(inside) == 2:
                (a, b), (c, d) = inside, outside
                square = [cut(a, c), cut(a, d), cut(b, d), cut(b, c)]
                add([square[0], square[1], square[2]], outward)
                add([square[0], square[2], square[3]], outward)
            else:
                one, others = (inside[0], outside) if len(inside) == 1 else (outside[0], inside)
                add([cut(one, other) for other in others], outward)
    return vertices, triangles


def main():
    vertices, triangles = march()
    lowest = min(v[1] for v in vertices)
    print("# A cow, made by tools/make_cow.py")
    for x, y, z in vertices:
        print(f"v {x:.4f} {y - lowest:.4f} {z:.4f}")
    for triangle in triangles:
        print("f", *triangle)


main()
