import styles from './insecure-line.module.css';

/** Over plain http everything works but what browsers keep for https; this says which. */
export function InsecureLine() {
  if (window.isSecureContext) return null;
  return (
    <p className={styles.line}>
      Opened without https: installing Sprig and starting it offline need an https address.
    </p>
  );
}
