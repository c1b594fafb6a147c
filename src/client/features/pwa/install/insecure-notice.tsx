import styles from './insecure-notice.module.css';

/** Over plain http, says which features the browser reserves for https. */
export function InsecureNotice() {
  if (window.isSecureContext) return null;
  return (
    <p className={styles.line}>
      Opened without https: installing Sprig and starting it offline need an https address.
    </p>
  );
}
