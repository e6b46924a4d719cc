# As root a command would leave files that the service cannot read: it runs as the user of the service.
[ "$(id -u)" != 0 ] || ! getent passwd fanfare >/dev/null || exec runuser -u fanfare -- "$0" "$@"
# Where the package keeps settings and data, for commands that do not name them.
options='-Dfanfare.config=/etc/fanfare/fanfare.yaml -Dfanfare.data=/var/lib/fanfare/data'
# Its folder is not to be written to at run time; outside of a unit no classes are kept.
classes=${CACHE_DIRECTORY:+$CACHE_DIRECTORY/fanfare.jsa}
