import pg from 'pg';

/** The form of a database URL, for messages. Characters such as # must be percent-encoded in passwords. */
export const databaseUrlForm =
  'a URL like postgres://user:password@host:5432/sprig, with # / ? and % in the password as %23 %2F %3F and %25';

/** Whether the driver can read the URL. */
export function isDatabaseUrl(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return false;
  try {
    return new pg.Client({ connectionString: url }) !== null;
  } catch (error) {
    // TypeError and URIError mean a malformed URL. Other errors are about SSL parameters, such as a file that cannot be
    // read, and their own messages are more helpful.
    return !(error instanceof TypeError || error instanceof URIError);
  }
}
