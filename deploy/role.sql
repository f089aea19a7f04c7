-- Makes the application's role, which owns no table, so that row-level security holds for it (docs/deployment.md).
-- psql runs this as a superuser; again at any time. APP_PASSWORD in its environment becomes the role's password.
\set ON_ERROR_STOP on
\getenv password APP_PASSWORD
SELECT 'CREATE ROLE kb_app LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kb_app') \gexec
ALTER ROLE kb_app PASSWORD :'password';
