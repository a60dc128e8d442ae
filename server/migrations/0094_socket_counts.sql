-- Open sockets of each host (one server, with all its workers), by a hash of the account or address. The tables are
-- unlogged: after a crash or a failover they are empty, and the hosts write their counts again.
CREATE UNLOGGED TABLE private.socket_hosts (
  host uuid PRIMARY KEY,
  renewals bigint NOT NULL
);
CREATE UNLOGGED TABLE private.socket_counts (
  key text NOT NULL,
  host uuid NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (key, host)
);
CREATE INDEX socket_counts_host ON private.socket_counts (host);
