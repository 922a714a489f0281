// The implementations of the single-header libraries: PNG files and glyphs of fonts. Their headers count as
// the system's, so their warnings are their own.
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
