import { useRef } from 'react';
import type { Device } from '#client/session/devices.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { DeviceItem } from './device-item.tsx';
import styles from './devices-sheet.module.css';

export function DeviceList({
  devices,
  onRemoved,
}: {
  devices: Device[];
  onRemoved: (device: Device) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={styles.devices} aria-labelledby="devices-heading">
      <h3 id="devices-heading" ref={heading} tabIndex={-1}>
        Your devices
      </h3>
      {devices.length === 0 && (
        <p className={styles.quiet}>
          No devices yet. One that you add can post readings to the plant with its ID.
        </p>
      )}
      <ul>
        {devices.map((device) => (
          <DeviceItem
            key={device.key}
            device={device}
            onRemoved={() => {
              // The focused button disappears with its device.
              heading.current?.focus();
              announce(`${device.deviceId} removed`);
              onRemoved(device);
            }}
          />
        ))}
      </ul>
    </section>
  );
}
