-- Run once after a restore, before devices are back: src/server/README.md, Backups.
-- A restored database repeats the version numbers that were given after the backup. A device that has seen such a
-- number would keep the history that it belonged to, and its ETag would match a plant that it does not know. Numbers
-- that no device has seen make every device load its plants and their journals again.
UPDATE plants SET version = version + 1000000, journal_version = journal_version + 1000000;
