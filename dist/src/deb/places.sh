# Where the package keeps settings and data, for commands that do not name them.
options='-Dfanfare.config=/etc/fanfare/fanfare.yaml -Dfanfare.data=/var/lib/fanfare/data'
# Its folder is not to be written to at run time; outside of a unit no classes are kept.
classes=${CACHE_DIRECTORY:+$CACHE_DIRECTORY/fanfare.jsa}
