// A citation as text: BibTeX, CSL-JSON and plain, each with permalink, digest and access date.
// Pure. UTF-8 in, UTF-8 out; every form ends in a newline.
#pragma once

#include <string>
#include <string_view>

#include "core/citation/work.h"

namespace stele {

// One entry, `@misc{stele-<12 hex digits>, …}`. What TeX would read as anything but itself is
// written as a command; what is not ASCII stays as it is.
std::string FormatBibtex(const CitedWork& work);

// A list of one item of type `dataset` (CSL-JSON 1.0).
std::string FormatCsl(const CitedWork& work);

// One line.
std::string FormatPlain(const CitedWork& work);

// As the value of a BibTeX field between braces.
std::string EscapeTex(std::string_view text);

// "Retracted, superseded by sha256:…"; empty if the work is not retracted.
std::string RetractionNote(const CitedWork& work);

}  // namespace stele
