// What the room of topic models binds.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_topic_documents(nb::module_ &m);
void bind_topic_sweeps(nb::module_ &m);

}  // namespace margin
