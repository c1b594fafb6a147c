#!/bin/sh
# Copies the data folder of a running server into one file. It contains every change that was acknowledged before this:
#   sh src/server/database/backup.sh /var/lib/sprig /backup/sprig.tar
# Needs psql, of any version, and the rights of root or of the server's user. To restore it, unpack it into an empty
# folder (tar -xpf) and start the server with that folder as DATA_DIR.
set -eu
umask 077
[ $# = 2 ] || { echo 'usage: backup.sh DATA_DIR FILE.tar' >&2; exit 2; }
data=$(cd "$1" && pwd) file=$2
cluster=postgres/cluster
# A server that runs as root may keep the database in another folder.
home=$data elsewhere=
if [ ! -d "$data/postgres" ] && [ -f "$data/database-folder" ]; then
  home=$(cat "$data/database-folder") elsewhere=" and $(cat "$data/database-folder")"
fi
if ! socket=$(sed -n 5p "$home/$cluster/postmaster.pid" 2>/dev/null); then
  echo "No server is running on $data: copy the folder itself$elsewhere." >&2
  exit 1
fi
label=$(mktemp -d)
trap 'rm -rf "$label" "$file.part"' EXIT
mkdir -p "$label/$cluster"
# Both read the names from the environment, because names may contain quotes.
export data file home elsewhere label cluster
cat >"$label/copy" <<'END'
# PostgreSQL keeps writing meanwhile, so tar may exit with 1. Recovery at the first start completes half-written pages.
tar -cf "$file.part" -C "$data" --exclude "./$cluster/postmaster.*" --exclude "./$cluster/pg_wal/*" \
  --exclude "./$cluster/pg_replslot/*" --exclude ./database-folder . ${elsewhere:+-C "$home" ./postgres} 2>"$label/errors"
[ $? -le 1 ] && touch "$label/copied"
END
cat >"$label/copy-log" <<'END'
owner=$(ls -nd "$home/$cluster" | awk '{ print $3 ":" $4 }')
if [ "$(id -u)" = 0 ]; then chown "$owner" "$label/$cluster/backup_label"; fi
tar -rf "$file.part" -C "$home" "./$cluster/pg_wal" 2>>"$label/errors"
[ $? -le 1 ] && tar -rf "$file.part" -C "$label" "./$cluster/backup_label" && touch "$label/log-copied"
END
# The temporary replication slot keeps PostgreSQL from deleting the log files that the copy needs.
PGPASSWORD=$(cat "$home/postgres/password") psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$socket" -U sprig -d sprig <<END >/dev/null
SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true);
SELECT pg_backup_start('sprig', true);
\! sh $label/copy
\o $label/$cluster/backup_label
SELECT labelfile FROM pg_backup_stop(false);
\o
\! sh $label/copy-log
END
if [ ! -e "$label/copied" ] || [ ! -e "$label/log-copied" ]; then
  cat "$label/errors" >&2
  exit 1
fi
mv "$file.part" "$file"
