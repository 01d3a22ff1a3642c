// Certificates: whom the HTTP client believes.
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include <memory>
#include <optional>

#include "core/net/http_client.h"
#include "tests/support/loopback.h"
#include "tests/support/temp_folder.h"

namespace approval::net {
namespace {

template <auto Free>
struct Release {
  template <typename T>
  void operator()(T* value) const {
    Free(value);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Release<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Release<SSL_free>>;

Certificate SelfSigned(EVP_PKEY* key, const std::string& ip) {
  Certificate out(X509_new());
  X509_set_version(out.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(out.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(out.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(out.get()), 3'600);
  X509_set_pubkey(out.get(), key);
  X509_NAME* name = X509_get_subject_name(out.get());
  const unsigned char text[] = "test";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(out.get(), name);
  const std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION_free>> alternative(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("IP:" + ip).c_str()));
  X509_add_ext(out.get(), alternative.get(), -1);
  X509_sign(out.get(), key, EVP_sha256());
  return out;
}

std::string PemOf(X509* certificate) {
  const std::unique_ptr<BIO, Release<BIO_free>> memory(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(memory.get(), certificate);
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

Context ContextWith(EVP_PKEY* key, X509* certificate, int max_version) {
  Context out(SSL_CTX_new(TLS_server_method()));
  SSL_CTX_set_min_proto_version(out.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(out.get(), max_version);
  SSL_CTX_use_certificate(out.get(), certificate);
  SSL_CTX_use_PrivateKey(out.get(), key);
  return out;
}

// Answers every connection once, over TLS, with a certificate of its own making.
class TlsServer {
 public:
  explicit TlsServer(const std::string& ip = "127.0.0.1", int max_version = TLS1_3_VERSION)
      : key_(EVP_RSA_gen(2048)),
        certificate_(SelfSigned(key_.get(), ip)),
        context_(ContextWith(key_.get(), certificate_.get(), max_version)),
        server_([this](int fd) { Serve(fd); }) {}

  std::string url() const { return "https://127.0.0.1:" + std::to_string(server_.port()) + "/"; }
  std::string pem() const { return PemOf(certificate_.get()); }

 private:
  void Serve(int fd) const {
    const Session session(SSL_new(context_.get()));
    SSL_set_fd(session.get(), fd);
    char block[4096];
    if (SSL_accept(session.get()) == 1 && SSL_read(session.get(), block, sizeof block) > 0) {
      constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
      SSL_write(session.get(), kAnswer.data(), static_cast<int>(kAnswer.size()));
      SSL_shutdown(session.get());
    }
  }

  Key key_;
  Certificate certificate_;
  Context context_;
  testing::LoopbackServer server_;
};

HttpResult Get(const TlsServer& server, HttpOptions options) {
  HttpClient client(Redactor(), std::move(options));
  std::optional<HttpResult> result;
  HttpRequest request;
  request.url = server.url();
  request.deadline = std::chrono::milliseconds(5'000);
  client.Submit(std::move(request), [&](HttpResult got) { result = std::move(got); });
  while (!result) client.Poll(std::chrono::milliseconds(100));
  return std::move(*result);
}

TEST(Tls, ACertificateNobodyVouchesForIsRefused) {
  const TlsServer server;
  const HttpResult result = Get(server, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, base::Code::kHttpTls);
  EXPECT_FALSE(MayHaveArrived(result.error()));
}

TEST(Tls, RootsFromTheEnvironmentReplaceTheSystemsOnes) {
  const TlsServer server;
  const testing::TempFolder folder;
  folder.Write("roots.pem", server.pem());
  ::setenv("SSL_CERT_FILE", folder.Path("roots.pem").c_str(), 1);
  const HttpResult result = Get(server, HttpOptionsFromEnvironment());
  ::unsetenv("SSL_CERT_FILE");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->body, "hi");
}

TEST(Tls, ATrustedCertificateForAnotherHostIsRefused) {
  const TlsServer server("192.0.2.1");
  const testing::TempFolder folder;
  folder.Write("roots.pem", server.pem());
  const HttpResult result = Get(server, {folder.Path("roots.pem")});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, base::Code::kHttpTls);
}

TEST(Tls, AVersionBelowOnePointTwoIsNotSpoken) {
  const TlsServer server("127.0.0.1", TLS1_1_VERSION);
  const testing::TempFolder folder;
  folder.Write("roots.pem", server.pem());
  const HttpResult result = Get(server, {folder.Path("roots.pem")});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, base::Code::kHttpTls);
}

}  // namespace
}  // namespace approval::net
