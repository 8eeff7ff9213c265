#include "studio/server/access.hpp"

#include <gtest/gtest.h>

#include <set>

namespace footfall::studio {
namespace {

const std::string kBase = "http://127.0.0.1:8642/";

std::string tokenOf(const std::string& url) { return url.substr(url.find("token=") + 6); }

/// A server of this machine, and requests to it.
class LocalAccess : public ::testing::Test {
 protected:
  Credentials request(const std::string& path, const std::string& query) const {
    return {"127.0.0.1:8642", {}, "", path, query};
  }
  /// What a browser sends that has opened the page.
  Credentials known(const std::string& path) const {
    const std::string header = access_.cookieHeader("127.0.0.1:8642");
    return {"127.0.0.1:8642", {}, header.substr(0, header.find(';')), path, "key=" + access_.key()};
  }
  std::string token() const { return tokenOf(access_.lastingUrl(kBase)); }

  Access access_{true};
};

TEST(Secrets, AreLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int k = 0; k < 100; ++k) {
    const std::string secret = randomSecret();
    EXPECT_EQ(secret.size(), 48u) << "192 bits";
    EXPECT_EQ(secret.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_TRUE(seen.insert(secret).second);
  }
}

TEST(Secrets, AreTheSameOnlyWhenEveryLetterIs) {
  EXPECT_TRUE(sameSecret("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc", "ABC"}) EXPECT_FALSE(sameSecret(other, "abc")) << other;
}

TEST(Query, KnowsANameOnlyAsAWhole) {
  EXPECT_EQ(queryValue("token=5", "token"), "5");
  EXPECT_EQ(queryValue("a=1&token=5&b=2", "token"), "5");
  for (const char* query :
       {"xtoken=5", "token", "tokens=5", "a=token=5", "Token=5", "a&token", "", "&&", "=5", "%74oken=5"})
    EXPECT_FALSE(queryValue(query, "token").has_value()) << query;
}

TEST(Query, TakesNeitherOfTwoValues) { EXPECT_FALSE(queryValue("token=5&token=6", "token").has_value()); }

TEST(Cookies, AreKnownByTheirWholeName) {
  EXPECT_EQ(cookieValue("a=1; footfall_80=5; b=2", "footfall_80"), "5");
  for (const char* cookies : {"xfootfall_80=5", "footfall_8=5", "footfall_800=5", "a=footfall_80=5", ""})
    EXPECT_FALSE(cookieValue(cookies, "footfall_80").has_value()) << cookies;
}

TEST(Host, IsSplitIntoNameAndPort) {
  EXPECT_EQ(splitHost("localhost:8642")->name, "localhost");
  EXPECT_EQ(splitHost("localhost:8642")->port, 8642);
  EXPECT_EQ(splitHost("[::1]:8642")->name, "[::1]");
  EXPECT_EQ(splitHost("[::1]")->port, 80);
  for (const char* host : {"", ":80", "a:", "a:b", "a:80b", "a:0", "a:65536", "a:99999999999999999999", "a:-1"})
    EXPECT_FALSE(splitHost(host).has_value()) << host;
}

TEST_F(LocalAccess, NeedsATokenForEveryPath) {
  for (const char* path : {"/", "/ws", "/scene/0", "/mesh/0/0", "/favicon.ico", "/nothing", ""})
    EXPECT_EQ(access_.judge(request(path, "")), Verdict::stranger) << path;
  EXPECT_EQ(access_.judge(request("/scene/0", "token=" + token())), Verdict::known);
  EXPECT_EQ(access_.judge(request("/", "token=" + token())), Verdict::newcomer);
}

TEST_F(LocalAccess, KnowsNoTokenButItsOwn) {
  std::string wrong = token();
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& query :
       {"token=" + wrong, std::string("token="), std::string("token"), "xtoken=" + token(), "key=" + token(),
        "token=" + token() + "0", "token=" + token() + "&token=" + token()})
    EXPECT_EQ(access_.judge(request("/", query)), Verdict::stranger) << query;
}

TEST_F(LocalAccess, NeedsCookieAndKeyOfABrowser) {
  EXPECT_EQ(access_.judge(known("/scene/0")), Verdict::known);
  EXPECT_EQ(access_.judge(known("/ws")), Verdict::known);
  Credentials without_key = known("/ws"), without_cookie = known("/ws"), of_another_port = known("/ws");
  without_key.query.clear();
  without_cookie.cookies.clear();
  of_another_port.host = "127.0.0.1:9000";
  EXPECT_EQ(access_.judge(without_key), Verdict::stranger) << "cookies are sent to every port of the machine";
  EXPECT_EQ(access_.judge(without_cookie), Verdict::stranger);
  EXPECT_EQ(access_.judge(of_another_port), Verdict::stranger);
}

TEST_F(LocalAccess, ShowsThePageToAKnownBrowserWithoutAKey) {
  Credentials bookmark = known("/");
  bookmark.query.clear();
  EXPECT_EQ(access_.judge(bookmark), Verdict::known);
}

TEST_F(LocalAccess, TokenCookieAndKeyAreThreeSecrets) {
  const std::string cookie = access_.cookieHeader("127.0.0.1:8642");
  EXPECT_EQ(cookie.find(token()), std::string::npos);
  EXPECT_EQ(cookie.find(access_.key()), std::string::npos);
  EXPECT_NE(token(), access_.key());
}

TEST_F(LocalAccess, CookiesAreForBrowsersOnlyAndForOneServer) {
  const std::string cookie = access_.cookieHeader("localhost:9000");
  EXPECT_EQ(cookie.rfind("footfall_9000=", 0), 0u) << "the port that the browser sees";
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/"})
    EXPECT_NE(cookie.find(part), std::string::npos) << part;
  EXPECT_EQ(cookie.find("Domain"), std::string::npos);
}

TEST_F(LocalAccess, TheAddressOfAStartedBrowserIsGoodOnce) {
  const std::string query = "token=" + tokenOf(access_.launchUrl(kBase));
  EXPECT_EQ(access_.judge(request("/scene/0", query)), Verdict::stranger) << "it opens the page and nothing else";
  EXPECT_EQ(access_.judge(request("/", query)), Verdict::newcomer);
  EXPECT_EQ(access_.judge(request("/", query)), Verdict::used_token);
  EXPECT_EQ(access_.judge(request("/", "token=" + token())), Verdict::newcomer);
}

TEST_F(LocalAccess, RefusesNamesThatWereBentToThisMachine) {
  for (const char* host : {"evil.example", "evil.example:8642", "127.0.0.1.evil.example:8642", "localhost.evil.example",
                           "", "127.0.0.1:8642:8642", "[::1]x:8642", "128.0.0.1:8642"}) {
    Credentials credentials = request("/", "token=" + token());
    credentials.host = host;
    EXPECT_EQ(access_.judge(credentials), Verdict::forbidden) << host;
  }
}

TEST_F(LocalAccess, RefusesPagesOfOtherOriginsEvenWithTheToken) {
  for (const char* origin : {"http://evil.example", "null", "", "http://127.0.0.1:8643", "https://127.0.0.1:8642",
                             "http://127.0.0.1:8642.evil.example", "http://localhost:8642"}) {
    Credentials credentials = request("/ws", "token=" + token());
    credentials.origin = origin;
    EXPECT_EQ(access_.judge(credentials), Verdict::forbidden) << origin;
  }
  Credentials own = request("/ws", "token=" + token());
  own.origin = "http://127.0.0.1:8642";
  EXPECT_EQ(access_.judge(own), Verdict::known);
}

TEST(NetworkAccess, HasAnyNameButNeedsTheToken) {
  Access access(false);
  Credentials credentials{"robot.lab:8642", {}, "", "/", ""};
  EXPECT_EQ(access.judge(credentials), Verdict::stranger);
  credentials.query = "token=" + tokenOf(access.lastingUrl(kBase));
  EXPECT_EQ(access.judge(credentials), Verdict::newcomer);
}

}  // namespace
}  // namespace footfall::studio
