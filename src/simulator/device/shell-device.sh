#!/bin/sh
# A Sprig device in a shell: reports the soil, waters when the response says so, and reports the result.
#   SPRIG_URL=https://plants.example.org SPRIG_TOKEN=sprig_… SENSOR=./read-soil PUMP=./run-pump sh shell-device.sh
# SENSOR prints the soil humidity in %. PUMP gets the ml as its argument and fails when it could not run. The clock
# must be right (NTP). With the argument `once` it reports once and ends, for cron. EVERY_SECONDS is the time between two
# reports (default 60). STATE_DIR is where it stores readings and command ids (default ~/.sprig-device); each device of
# a machine needs its own.
set -eu
export LC_ALL=C
: "${SPRIG_URL:?the URL of the server}" "${SPRIG_TOKEN:?a token from the user menu, Devices}"
: "${SENSOR:?a command that prints the soil humidity}" "${PUMP:?a command that pumps the ml it is given}"
state=${STATE_DIR:-$HOME/.sprig-device}
mkdir -p "$state"
touch "$state/known" "$state/unreported" "$state/waiting"

# The value of a field of a flat JSON object.
field() {
  printf '%s' "$1" | sed -n "s/.*\"$2\":\"\{0,1\}\([^,\"}]*\).*/\1/p"
}

# Runs a command at most once and never after its end. A failed run is reported without ml, so it counts in full.
run_command() {
  id=$(field "$1" id) ml=$(field "$1" amount_ml) end=$(field "$1" expires_at)
  if grep -qxF "$id" "$state/known"; then return; fi
  # Before the pump runs, and on the disk: after a power cut, which the pump may cause, it must not run again.
  if ! echo "$id" >>"$state/known"; then
    echo "not watered: the command could not be stored" >&2
    return
  fi
  sync
  if ! expr "at $(date -u +%Y-%m-%dT%H:%M:%S)" \< "at $end" >/dev/null; then
    result="\"status\":\"failed\",\"amount_ml\":0"
  elif $PUMP "$ml"; then
    result="\"status\":\"done\",\"amount_ml\":$ml"
  else
    result="\"status\":\"failed\""
  fi
  echo "{\"id\":\"$id\",$result}" >>"$state/unreported"
}

number='[[:space:]]*-?(0|[1-9][0-9]*)(\.[0-9]+)?[[:space:]]*'

# Stores a reading until it is reported: the newest 500, which are what one request may carry. What is not a reading
# is left out, because the server refuses a request that is not JSON, with all of its readings. In a function that runs
# behind ||, a failure does not end the script, so it is checked: the copy of the readings may be incomplete.
measure() {
  soil=$($SENSOR) || return 1
  if ! printf '%s' "$soil" | tr '\n' ',' | grep -qxE -e "$number"; then
    echo "not a number from the sensor: $soil" >&2
    return 1
  fi
  echo "{\"timestamp\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\",\"soil_humidity\":$soil" >>"$state/waiting" || return 1
  grep -xE "\{\"timestamp\":\"[^\"]*\",\"soil_humidity\":$number" "$state/waiting" | tail -n 500 >"$state/newest" ||
    return 1
  mv "$state/newest" "$state/waiting"
}

# Reports the stored readings as an array. Results go with the newest one until that is stored. Each reading has a
# result of its own; one that was refused would be refused again, so it is not kept. Stops when the token was revoked.
# The token is not among the arguments, which anybody can list. The last line of the response is its HTTP status. The
# readings are kept unless Sprig responded: a proxy may redirect, and a captive portal sends its own page with 200.
report() {
  measure || return 1
  results=$(paste -s -d , "$state/unreported")
  {
    printf '['
    sed -e '$!s/$/},/' -e "\$s/\$/,\"command_results\":[$results]}]/" "$state/waiting"
  } >"$state/request" || return 1
  response=$(
    curl --silent --show-error --max-time 15 --write-out '\n%{http_code}' --config - "$SPRIG_URL/api/logs" \
      --header 'Content-Type: application/json' --data "@$state/request" <<END
header = "Authorization: Bearer $SPRIG_TOKEN"
END
  ) || return 1
  status=$(printf '%s\n' "$response" | tail -n 1)
  case "$status $response" in
  '200 {"results":['*) ;;
  200*)
    echo "the response is not from Sprig; does the network ask for a sign-in, or is SPRIG_URL wrong?" >&2
    return 1
    ;;
  3*)
    echo "the server redirects ($status); SPRIG_URL must be its https URL" >&2
    return 1
    ;;
  401*)
    echo "stopped: the token was revoked" >&2
    exit 1
    ;;
  *)
    echo "the server responded with $status" >&2
    return 1
    ;;
  esac
  : >"$state/waiting"
  # If the newest reading was refused, the results that came with it were not stored.
  if [ "$(printf '%s' "$response" | grep -o '"status":[0-9]*' | tail -n 1)" = '"status":201' ]; then
    : >"$state/unreported"
  fi
  printf '%s\n' "$response" | grep -o '{"id":[^}]*}' | while read -r command; do run_command "$command"; done
}

# Reports unless another run is doing so, e.g. an earlier one of cron whose pump still runs: the two would use the same
# files. After a power cut the lock is still there, so one that is 15 minutes old does not count.
report_alone() {
  find "$state/lock" -prune -mmin +15 -exec rmdir {} \; 2>/dev/null || :
  if ! mkdir "$state/lock"; then
    echo "another run has not ended yet" >&2
    return 1
  fi
  trap 'rmdir "$state/lock"' EXIT
  trap 'exit 1' HUP INT TERM
  ended=0
  report || ended=$?
  rmdir "$state/lock"
  trap - EXIT HUP INT TERM
  return "$ended"
}

if [ "${1:-}" = once ]; then
  report_alone
  exit
fi
while :; do
  report_alone || echo "not reported; the next report repeats it" >&2
  sleep "${EVERY_SECONDS:-60}"
done
