// What the room of topic models binds.
#pragma once

#include "common/native.hpp"

namespace margin {

void bind_collapsed_topics(nb::module_ &m);
void bind_delayed_topics(nb::module_ &m);
void bind_given_topics(nb::module_ &m);
void bind_topic_documents(nb::module_ &m);
void bind_topic_left_to_right(nb::module_ &m);

}  // namespace margin
