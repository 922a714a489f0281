// All sections of scene files, in the order they are read and written.
#include "scene/reader.h"

const sn_section *const sn_sections[] = {&sn_section_world,   &sn_section_categories, &sn_section_materials,
                                         &sn_section_shapes,  &sn_section_bodies,     &sn_section_deformables,
                                         &sn_section_joints,  &sn_section_anchors,    &sn_section_cameras,
                                         &sn_section_light,   &sn_section_labels,     &sn_section_probes,
                                         &sn_section_motions, &sn_section_events};

const int sn_section_count = SN_COUNT(sn_sections);
