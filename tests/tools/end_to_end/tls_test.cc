// The TLS flags, against a server that demands them.
#include <cstdlib>

#include "tests/support/client/lying_server.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using testing::RunProgram;
using testing::RunResult;

class TlsTest : public ServedTest {
 protected:
  // A self-signed certificate for 127.0.0.1: NAME.crt and NAME.key.
  void MakeCertificate(const std::string& name) const {
    const std::string command =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=" +
        name + " -addext subjectAltName=IP:127.0.0.1 -keyout '" + Path(name + ".key") + "' -out '" +
        Path(name + ".crt") + "' 2>/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  std::shared_ptr<grpc::ServerCredentials> Credentials(bool demand_certificate) const {
    grpc::SslServerCredentialsOptions options(
        demand_certificate ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                           : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
    options.pem_key_cert_pairs.push_back(
        {testing::ReadFile(Path("server.key")), testing::ReadFile(Path("server.crt"))});
    if (demand_certificate) options.pem_root_certs = testing::ReadFile(Path("client.crt"));
    return grpc::SslServerCredentials(options);
  }
  int Head(const client::LyingServer& server, std::vector<std::string> flags) const {
    flags.insert(flags.begin(), {"log", "head", "--server", server.address(), "--state",
                                 Path("tls-state"), "--timeout", "10s"});
    return RunProgram("stele", flags).exit_code;
  }
};

TEST_F(TlsTest, TrustsOnlyTheCertificatesItIsTold) {
  MakeCertificate("server");
  MakeCertificate("stranger");
  const client::LyingServer server(steled_.address(), Credentials(false));
  EXPECT_EQ(Head(server, {"--ca", Path("server.crt")}), 0);
  EXPECT_EQ(Head(server, {"--ca", Path("stranger.crt")}), 3);
  EXPECT_EQ(Head(server, {}), 3) << "without TLS";
}

TEST_F(TlsTest, ShowsItsOwnCertificate) {
  MakeCertificate("server");
  MakeCertificate("client");
  const client::LyingServer server(steled_.address(), Credentials(true));
  const std::string ca = Path("server.crt");
  EXPECT_EQ(
      Head(server, {"--ca", ca, "--cert", Path("client.crt"), "--cert-key", Path("client.key")}),
      0);
  EXPECT_EQ(Head(server, {"--ca", ca}), 3);
  EXPECT_EQ(Head(server, {"--ca", ca, "--cert", Path("client.crt")}), 2);
}

}  // namespace
}  // namespace stele::tools
