// The C library's way to files, which a page has not: whatever it writes to stderr goes nowhere. With these
// the module has no imports.
#include "scene/sources.h"

#include <stddef.h>
#include <wasi/api.h>

// A scene around a world of one's own came from no file.
void sn_sources_release(sn_sources *sources)
{
    (void)sources;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t file)
{
    (void)file;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t file, __wasi_filedelta_t offset, __wasi_whence_t from,
                              __wasi_filesize_t *place)
{
    (void)file, (void)offset, (void)from, (void)place;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t *parts, size_t count,
                               __wasi_size_t *written)
{
    (void)file, (void)parts, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}
