#!/usr/bin/env python3
"""Lines of src/ that are there for the position solver alone: its own files, and what else would go without it,
as whole functions with their comments and as single lines. `tools/count_position.py` prints the table of
docs/position-solver.md; it fails where a name or pattern of the list is not found any more."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent / 'src'

OWN = ['solver/position.c', 'solver/position.h', 'solver/jacobi.c', 'solver/newmark.c',
       'solver/residual.c', 'solver/contact/contact_project.h', 'solver/contact/friction_cone8.h']

# File: functions (or structures), patterns of blocks that end with their closing brace, patterns of lines.
HOOKS = {
    'solver/solver.h': (['sn_uses_newmark', 'sn_turns_far',
                         'sn_reported_part'], [],
                        ['Points are followed to', 'off their circles', 'again: points of edges', r'^// \[rad\]$',
                         'SN_FOLLOWED_TURN 0', 'SN_SOLVER_POSITION', 'is_projected;', 'float resolved;', 'turned_a, turned_b',
                         'sn_position position;', 'sn_position_laws', r'\*accelerations;', 'Finds the patch of a contact again', 'is gone, or another one', r'\(\*find_patch\)', r'^                       sn_patch \*found\);', 'sn_world \\*world;',
                         r'\*residuals;', r'int \*sharing', 'h \\* sqrtf', 'Of rows and motion: under Newmark']),
    'solver/solver.c': ([], [],
                        ['accelerations', 'case SN_SOLVER_POSITION', 'sn_position_laws', 'sn_position_begin', 'sn_position_run',
                         'solver/position.h']),
    'solver/stages.h': ([], [], ['int iteration;', 'bool is_trial', 'sn_projection',
                                 'sweep_contacts;']),
    'solver/stages.c': (['room_for_points'],
                        [r'if \(use_bias && run->sweep_contacts'], ['room_for_points', r'if \(!run->is_trial']),
    'solver/velocity.h': (['sn_sub_step_plan'], [], []),
    'solver/velocity.c': ([], [], ['plan->', 'Velocities of the chord by which', r'^// \(joint_rows']),
    'solver/contact/contact_block.c': (['keep_places', 'sn_contact_lane_replace'], [],
                                       ['patches found again', 'Sums over the step are scaled by', 'kept as of where the step began', 'of now, which masses go by', r'\*a = &solver->shifts', 'vec3 parting =',
                                        'vec3 part_a =', 'vec3 turn_a =', r'sn_dot\(sn_take3\(b->turned', r'^            point.separation - sn_dot']),
    'solver/contact/contact_block.h': ([], [], ['begun;', r' now;', 'lanes parts;', 'float ahead;', r'\(\*project\)',
                                               'sn_contact_lane_replace', 'int lane, sn_patch',
                                               'found again where its bodies are now']),
    'solver/contact/contact_kernel.h': ([], [r'if \(iterates\) {', r'if \(iterates &&'],
                                        ['contact_project', 'bool iterates', 'goes by; in an iteration', r'pass->ahead', 'bend\\b', 'parts = |`parts` times|Bodies are .parts',
                                         'By how much the way', 'no overlap that a spring', 'separation = sn_load..point->before', 'By how much a row asks its impulse', 'SN_INLINE sn_f8 normal_change', r'^                              const sn_contact_lane_point \*point, const velocities8',
                                         r'sn_vec3x8 normal, sn_f8 \*mass\)', 'SN_INLINE void set_normal_impulse', 'sn_f8 impulse, sn_f8 parts',
                                         'change = normal_change', '   set_normal_impulse',
                                         r'^    } else {$']),
    'solver/contact/soft_contact_kernel.h': (['soft_project_block'], [r'if \(pass->nodes->ahead'],
                                             ['project = soft', 'friction_cone8', r'soft_project,|soft_project\)']),
    'solver/contact/soft_contact_block.h': ([], [], ['parts, body_parts', r'\*rigid;', r'\bnow;', 'solved all at once', 'that do not act']),
    'solver/contact/soft_contact_rows.c': (['sharing_of', 'split_among_acting', 'project', 'rows'], [],
                                           ['project = project', 'rows = rows', 'sn_reported_part', 'packing->rigid = ', '_Static_assert', r'\+ 2 \* sizeof\(sn_lanes\)',
                                            'one after the other"']),
    'solver/elements/element.h': ([], [], ['ahead', 'resolved;', 'Positions are those after this much motion', 'solver iterates, whose rows', 'Where each lane is one row that pushes', 'direction: the offset of that direction', 'largest_error', 'is_implicit;', 'size_t direction']),
    'solver/elements/tetrahedron_kernel.h': (['forget_lost', 'part_of_change'], [r'if \(pass->ahead != 0', r'if \(pass->resolved > 0.0f && block'],
                                             ['While the position solver iterates', 'nearby, and stiff', 'LARGEST_STRAIN']),
    'solver/elements/edge_kernel.h': ([], [r'if \(pass->ahead', r'if \(pass->resolved'], ['direction =', 'largest_error', 'AS_GOOD_AS_HARD ', 'Springs of the position solver that are so', 'what they stretch is lost in rounding', '// when sub-steps become shorter']),
    'solver/elements/bound_kernel.h': ([], [r'if \(pass->ahead'], ['direction =']),
    'solver/elements/bending_kernel.h': ([], [r'if \(pass->ahead'], []),
    'solver/elements/neo_hookean_kernel.h': ([], [r'if \(pass->ahead'], []),
    'solver/elements/enclosure_kernel.h': ([], [], ['pass->ahead', r'- grown -']),
    'solver/rows/hinge_planes.c': (['take_back_motion'], [r'if \(joints->pass.ahead'], []),
    'solver/rows/joints.c': ([], [], ['is_projected', 'sn_reported_part', r'settings \*settings = &joints->solver']),
    'solver/rows/joints.h': ([], [], ['sn_joints_error', 'largest error of hard rows']),
    'solver/rows/joint_rows.c': (['sn_joints_error'], [], []),
    'solver/rows/joint_islands.c': ([], [], ['keeps energy by itself; what it solves']),
    'solver/rows/joint_nodes.c': ([], [], ['error = ', 'pass.ahead']),
    'solver/rows/joint_kernel.h': ([], [r'if \(pass->ahead'], ['is_projected']),
    'solver/rows/joint_block.h': ([], [], ['float ahead', 'The position solver forgets', r'^    // good as|as good as', 'is_projected;']),
    'solver/rows/row_softness.h': ([], [], ['pass->resolved']),
    'solver/nodes/node_solver.h': ([], [], [r'\(\*error\)',
                                           'Of contacts: changes of impulses', '// friction, in each of so many', r'\(\*project\)', r'\(\*rows\)', 'One colour; false', r'sn_nodes_run_color\(', '  sn_element_function function\\);', 'turns_stiff']),
    'solver/energy/energy_taking.c': (['sn_run_note_turning', 'sn_run_keep_turning'], [],
                                      ['--- turning', 'void sn_run_drop', 'sn_run_drop.run, &work']),
    'solver/energy/energy_ledger.h': ([], [], ['angular momentum of what is free', 'gradients of where a sub-step leads',
                                               'is kept only by impulses without', 'sub-step. So each island', 'of the whole about its mass centre',
                                               'rotation has the least', 'test_position_momentum', 'sn_run_note_turning', 'sn_run_keep_turning', 'The same file: impulses', 'sn_run_drop']),
    'solver/energy/energy_ledger.c': ([], [], ['Of those that are watched', 'bool turns =', 'all_body_count = ', 'all_range_count = ']),
    'solver/energy/energy_units.h': ([], [], ['whose energy nobody watches', 'is_all;']),
    'solver/nodes/node_solver.c': ([], [], ['is_projected', 'laws.resolved', 'bool backwards =', 'solver->turns_stiff', r'pass.backwards = backwards;']),
    'world/core/collide.c': (['place_of', 'sn_world_find_patch'],
                             [r'if \(count == 0 && world->def.solver'], []),
    'world/core/world.h': ([], [], ['residuals;', 'The patch of a contact where its bodies', 'sn_world_find_patch',
                                   r'^                         struct sn_patch \*found\);|sn_patch \*found\);']),
    'world/core/world.c': (['sn_world_residuals', 'sn_position_default'], [r'if \(def->position.newmark'],
                           ['position\\.', 'residuals\\)']),
    'world/core/solve.c': (['clear_residuals'],
                           [r'if \(solver->residuals != NULL'],
                           ['_acceleration', 'accelerations', 'bool is_kept', 'find_patch', 'solver->world =', 'residuals.count', '!clear_residuals']),
    'world/core/settle.c': ([], [], ['sn_position_contact_growth', 'solver/position.h']),
    'world/core/sub_step_demands.c': ([], [r'if \(world->def.solver == SN_SOLVER_POSITION'],
                                      ['define POSITION_SUB', 'The same of the position solver, which', r'^// deforms|^// something deforms']),
    'world/core/sub_steps.c': ([], [], ['SN_SOLVER_POSITION \\?']),
    'world/energy/energy_accounts.c': ([], [r'if \(world->def.solver == SN_SOLVER_POSITION\) {'],
                                     ['SN_ENERGY_SPRINGY :', 'Elements begin with their last impulses', 'keeps the turning of whatever', 'bool turns =', 'bool is_numbered =']),
    'world/constraints/unions.c': ([], [], ["Newmark's rule keeps", 'SN_SOLVER_POSITION']),
    'world/snapshot/snapshot_parts.c': ([], [r'if \(archive->world->def.position.newmark'], ['linear_acceleration']),
    'world/snapshot/snapshot_soft.c': ([], [], ['accelerations', 'NODE_ACCELERATION']),
    'world/energy/energy_accounts.h': ([], [], ['SN_ENERGY_SPRINGY']),
    'world/energy/energy_store.c': ([], [], ['SN_ENERGY_SPRINGY']),
    'collision/narrow/contact_pair.h': ([], [], ['similar ones. Null if|^// if it is gone|// Null if it is gone', r'sn_patch_find\(']),
    'matter/nodes.c': ([], [], ['accelerations']),
    'matter/nodes.h': ([], [], ['accelerations']),
    'matter/rigid.h': ([], [], ['linear_acceleration']),
}


def function_lines(lines, name):
    """Of a definition with the comment above it and the blank line below it."""
    start = re.compile(r'^(?:typedef struct |[A-Za-z].*[ *])' + re.escape(name) + r'( {$|\()')
    found = set()
    for i, line in enumerate(lines):
        if not start.match(line) or line.rstrip().endswith(';'):
            continue
        j = i
        while not lines[j].startswith('{') and not lines[j].rstrip().endswith('{') and not lines[j].rstrip().endswith(';'):
            j += 1
        if lines[j].rstrip().endswith(';'):
            continue
        while not lines[j].startswith('}'):
            j += 1
        first = i
        while first > 0 and lines[first - 1].startswith('//') and '---' not in lines[first - 1]:
            first -= 1
        last = j + 1 if j + 1 < len(lines) and not lines[j + 1].strip() else j
        found |= set(range(first, last + 1))
    return found


def block_lines(lines, pattern):
    found = set()
    for i, line in enumerate(lines):
        if re.search(pattern, line):
            indent = len(line) - len(line.lstrip())
            j = i
            while not (lines[j].startswith(' ' * indent + '}') and j > i):
                j += 1
            found |= set(range(i, j + 1))
    return found


def is_code(line):
    return bool(line.strip()) and not line.strip().startswith('//')


def main():
    missing = []
    own = hooks = code = 0
    for name in OWN:
        lines = (SOURCE / name).read_text().splitlines()
        count = len(lines)
        own += count
        code += sum(is_code(line) for line in lines)
        print(f'| `{name}` | {count} |')
    for name, (functions, blocks, patterns) in HOOKS.items():
        lines = (SOURCE / name).read_text().splitlines()
        found = set()
        for kind, items, search in (('function', functions, function_lines), ('block', blocks, block_lines)):
            for item in items:
                hit = search(lines, item)
                if not hit:
                    missing.append(f'{name}: {kind} {item}')
                found |= hit
        for pattern in patterns:
            hit = {i for i, line in enumerate(lines) if re.search(pattern, line)}
            if not hit:
                missing.append(f'{name}: line {pattern}')
            found |= hit
        hooks += len(found)
        code += sum(is_code(lines[i]) for i in found)
        if '-v' in sys.argv:
            print(f'--- {name}')
            for i in sorted(found):
                print(f'{i + 1:5} {lines[i]}')
        else:
            print(f'| `{name}` | {len(found)} |')
    print(f'own files {own}, elsewhere {hooks}, together {own + hooks}, {code} of them neither comments nor blank')
    for item in missing:
        print('not found:', item)
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
