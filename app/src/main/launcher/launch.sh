# Starts java with the options that Fanfare needs. For the scripts named fanfare, which read this file: the one of a
# checkout builds first, the one of an archive or a package does not. Defines
#   fail SENTENCE...      ends with it
#   find_java             sets $java; ends when there is none, or an old one
#   launch JAR [OPTION...] ARGUMENT...  becomes java, or for a service its supervisor; does not return. Each OPTION is one
#                         for java, -X... or -D..., and weaker than the ones of FANFARE_JAVA_OPTS
# launch reads
#   classes   where the classes of a start are kept, or empty
#   called    how people call the script, for the lines that it tells them to paste
#   options   options for java that are weaker than those, or empty
fail() {
  echo "fanfare: $*" >&2
  exit 1
}

find_java() {
  if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ]; then
    java=$JAVA_HOME/bin/java
  else
    java=$(command -v java) ||
      fail "Java 17 or newer is needed, and java is not on the PATH (or set JAVA_HOME). Debian: apt-get install default-jre-headless"
  fi
  # A file beside java says it without the start of a JVM, which takes a tenth of a second.
  major=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' \
    "$(dirname -- "$(dirname -- "$(readlink -f -- "$java" 2>/dev/null || printf '%s' "$java")")")/release" 2>/dev/null) || :
  [ -n "$major" ] ||
    major=$("$java" -version 2>&1 | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' | head -n 1)
  [ "${major:-0}" -ge 17 ] || fail "Java 17 or newer is needed; $java is ${major:-of an unknown version}."
}

# A service (up, api, worker, stream) that ends because its memory is full, an event loop hangs or its start takes too
# long is started again; signals are passed on to it. For every other sub-command, and with FANFARE_RESTART=no, the
# script becomes the java process.
launch() {
  jar=$1
  shift
  while :; do
    case ${1:-} in
      -X* | -D*) options="$options $1" && shift ;;
      *) break ;;
    esac
  done

  # G1 by name: below two processors or 2 GB the JVM would choose the serial collector, whose full pauses every open
  # stream would feel; the parallel collector has the same pauses. Of the heap 40 % may be free after a full look at it,
  # the rest goes back to the system; that look comes when nothing has been collected for 5 minutes, at the latest. A
  # collector named by the operator replaces all this.
  case " $options ${FANFARE_JAVA_OPTS:-} " in
    *" -XX:+Use"*GC" "*) collector= ;;
    *) collector='-XX:+UseG1GC -XX:MaxHeapFreeRatio=40 -XX:G1PeriodicGCInterval=300000' ;;
  esac

  # When the script is killed without a chance to say so, java ends by itself.
  case ${FANFARE_RESTART:-yes},${1:-} in
    no,*) supervisor= ;;
    *,up | *,api | *,worker | *,stream) supervisor=-Dfanfare.supervisor=$$ ;;
    *) supervisor= ;;
  esac

  # What the process writes - data, a dump of its memory - is for its owner only.
  umask 077
  # shellcheck disable=SC2086 # The options are meant to be split into words.
  set -- ${FANFARE_JAVA_OPTS:-} -jar "$jar" "$@"
  # The name of a file that does not exist yet would switch off the JVM's own archive of classes as well.
  [ ! -f "$classes" ] ||
    set -- -XX:SharedArchiveFile="$classes" -Xshare:auto -Xlog:cds*=off -Xlog:class+path=off "$@"
  [ -z "$classes" ] || set -- -Dfanfare.classes="$classes" "$@"
  # A process without memory ends rather than go on half alive: with status 3, for a full heap by the JVM and for what
  # lies outside of it by the service. That is 256 MiB: four times http.unsent-max-bytes, so that answers that nobody
  # takes leave room for those of all others, for requests and for streams; and with the heap it stays below 1 GiB.
  # Netty's allocator takes its chunks from it and keeps to it; the JDK keeps no buffer of a thread that is larger than
  # 256 KiB. The figures for jstat are taken once a second: 20 times, the JVM's way, are a fifth of what an idle process
  # costs.
  # shellcheck disable=SC2086 # As above.
  set -- "$java" -Xmx512m -XX:MaxDirectMemorySize=256m -Djdk.nio.maxCachedBufferSize=262144 $collector \
    -XX:PerfDataSamplingInterval=1000 -XX:+ExitOnOutOfMemoryError -Dfile.encoding=UTF-8 -Dfanfare.command="$called" \
    $supervisor $options "$@"

  [ -n "$supervisor" ] || exec "$@"
  supervise "$@"
}

# Of ends for want of memory, because an event loop hung or because the start took too long, within WITHIN seconds so
# many are made good, each after twice the pause of the one before; after another the operator has to look.
RESTARTS_MAX=5
WITHIN=600
OUT_OF_MEMORY=3
HUNG=4
LATE=5

# Java is a child in the background, where a shell makes it deaf to Ctrl-C: so that reaches it as SIGTERM, once.
pass_on() {
  stopping=yes
  [ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null || true
}

supervise() {
  child=
  stopping=
  trap 'pass_on TERM' TERM INT
  trap 'pass_on HUP' HUP
  trap '[ -z "$child" ] || kill -s QUIT "$child" 2>/dev/null || true' QUIT

  restarts=0
  first=
  while :; do
    "$@" &
    child=$!
    # A signal ends the wait, not the child.
    status=0
    wait "$child" || status=$?
    while kill -0 "$child" 2>/dev/null; do
      status=0
      wait "$child" || status=$?
    done
    child=
    case $status in
      "$OUT_OF_MEMORY") why='the memory was full' advice="give it more with FANFARE_JAVA_OPTS='-Xmx1g -XX:MaxDirectMemorySize=512m', or find out what fills it" ;;
      "$HUNG") why='an event loop hung' advice='find out from the stacks above what it waited for' ;;
      "$LATE") why='the start took too long' advice='give it more time with --set management.start-max=15m' ;;
      *) exit "$status" ;;
    esac
    [ -z "$stopping" ] || exit "$status"
    now=$(date +%s)
    if [ -z "$first" ] || [ $((now - first)) -gt "$WITHIN" ]; then
      first=$now
      restarts=0
    fi
    restarts=$((restarts + 1))
    if [ "$restarts" -gt "$RESTARTS_MAX" ]; then
      echo "fanfare: $why, $restarts such ends within $((WITHIN / 60)) minutes, giving up: $advice." >&2
      exit "$status"
    fi
    pause=$((1 << (restarts - 1)))
    echo "fanfare: $why, starting again in $pause s ($restarts of $RESTARTS_MAX)." >&2
    sleep "$pause"
    [ -z "$stopping" ] || exit "$status"
  done
}
