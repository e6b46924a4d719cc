# In a container. The settings may be there, or in the environment as FANFARE_...
options=-Dfanfare.data=/var/lib/fanfare/data
[ ! -f /etc/fanfare/fanfare.yaml ] || options="$options -Dfanfare.config=/etc/fanfare/fanfare.yaml"
# The volume for the classes may be missing.
classes=
[ ! -w "$CACHE_DIRECTORY" ] || classes=$CACHE_DIRECTORY/fanfare.jsa

# The memory that the container may use, of cgroup v2 or v1. Without a limit the figures of launch.sh stay.
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || echo max)
# v1 has a number of 19 digits for none.
case $limit in
  *[!0-9]* | ???????????????*) limit= ;;
esac
# Half of it is heap, a fifth is direct memory; the rest is for the JVM itself and for pictures. `up` has a redis-server too.
if [ -n "$limit" ]; then
  mebibytes=$((limit / 1048576))
  case ${1:-} in
    up) heap=$((mebibytes * 30 / 100)) direct=$((mebibytes * 15 / 100)) ;;
    api | worker | stream) heap=$((mebibytes * 50 / 100)) direct=$((mebibytes * 20 / 100)) ;;
    # A command beside the service.
    *) heap=$((mebibytes * 15 / 100)) direct=$((mebibytes * 5 / 100)) ;;
  esac
  options="-Xmx${heap}m -XX:MaxDirectMemorySize=${direct}m $options"
fi
