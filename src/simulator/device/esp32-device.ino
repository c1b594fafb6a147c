// A Sprig device on an ESP32: a capacitive soil probe and a pump behind a relay. Fill in the constants.
#include <HTTPClient.h>
#include <Preferences.h>
#include <WiFiClientSecure.h>
const char *ssid = "garden", *password = "…", *token = "sprig_…";
const char *url = "https://plants.example.org/api/logs";
const char *rootCertificate = "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n";
const int probePin = 34, pumpPin = 26, dryValue = 3000, wetValue = 1200;
const int pumpOn = HIGH, pumpOff = LOW;  // many relay boards need the opposite: on = LOW, off = HIGH
const float mlPerSecond = 20;
Preferences kept;  // survives a reset, so that no command runs twice
String unreported; // what became of the last command, until the server knows it

String field(const String &json, const String &name) {
  int start = json.indexOf("\"" + name + "\":");
  if (start < 0) return "";
  start += name.length() + 3;
  if (json[start] == '"') start++;
  int end = start;
  while (end < (int)json.length() && json[end] != '"' && json[end] != ',' && json[end] != '}') end++;
  return json.substring(start, end);
}

void runCommand(const String &command) {  // the server gives one command at a time
  String id = field(command, "id");
  if (id == "" || id == kept.getString("last", "")) return;
  if (kept.putString("last", id) == 0) return;  // before the pump runs; without this memory it must not run
  char now[25];
  time_t seconds = time(nullptr);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", gmtime(&seconds));
  float ml = field(command, "amount_ml").toFloat();
  bool runs = seconds > 1700000000 && String(now) < field(command, "expires_at");
  digitalWrite(pumpPin, runs ? pumpOn : pumpOff);
  delay(runs ? 1000 * ml / mlPerSecond : 0);
  digitalWrite(pumpPin, pumpOff);
  unreported = "{\"id\":\"" + id + "\",\"status\":\"" + (runs ? "done" : "failed") +
           "\",\"amount_ml\":" + String(runs ? ml : 0) + "}";
}

void setup() {
  gpio_set_level((gpio_num_t)pumpPin, pumpOff);  // before the pin becomes an output, which would start some pumps
  pinMode(pumpPin, OUTPUT);
  digitalWrite(pumpPin, pumpOff);
  kept.begin("sprig");
  WiFi.begin(ssid, password);
  configTime(0, 0, "pool.ntp.org");
}

void loop() {
  WiFiClientSecure tls;
  HTTPClient http;
  tls.setCACert(rootCertificate);
  http.begin(tls, url);
  http.addHeader("Authorization", String("Bearer ") + token);
  http.addHeader("Content-Type", "application/json");
  float soil = constrain(100.0 * (dryValue - analogRead(probePin)) / (dryValue - wetValue), 0, 100);
  int status = http.POST("{\"soil_humidity\":" + String(soil) + ",\"command_results\":[" + unreported + "]}");
  while (status == 401) delay(60000);  // the token was revoked; a new one comes with a new upload
  if (status == 201) {
    unreported = "";
    String response = http.getString();
    runCommand(response.substring(response.indexOf("\"commands\":")));
  }
  delay(60000);
}
