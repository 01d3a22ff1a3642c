// The second program: what talks to the world. `approval` starts it for these verbs.
#include "gateway/doctor/verbs.h"
#include "gateway/program.h"
#include "gateway/service/verbs.h"
#include "gateway/setup/verbs.h"
#include "gateway/spending/verbs.h"

namespace {

int NotHere(const approval::gateway::VerbSpec& verb, char**) {
  approval::gateway::SayLine(stderr, "✗ usage  `approval " + std::string(verb.name) +
                                         "` is a verb of the program approval; call that");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace approval::gateway;
  HandlerMap handlers = ServiceHandlers();
  handlers.merge(SpendingHandlers());
  handlers.merge(SetupHandlers());
  handlers.merge(DoctorHandlers());
  return RunProgram(argc, argv, handlers, NotHere);
}
