/**
 * @file src/io/container.hpp
 *
 * Files of symvi of which the kind is found by reading them.
 */
#ifndef SYMVI_SRC_IO_CONTAINER_HPP
#define SYMVI_SRC_IO_CONTAINER_HPP

#include <string>
#include <vector>

namespace symvi {
namespace io {

/**
 * LoadContainer() of any of these kinds, which says which one it was.  The file
 * is opened once, so that it may be a pipe; errors call it by the first kind.
 */
std::string LoadContainer(const std::string& path,
    const std::vector<std::string>& kinds, std::string& kind);

} // namespace io
} // namespace symvi

#endif
