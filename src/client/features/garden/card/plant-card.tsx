import { CalendarClock, Sun, Thermometer, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { healthText, isHealthy } from '#domain/plant/health.ts';
import { everyDays } from '#domain/watering/every-days.ts';
import type { ShownPlant } from '../grid/shown-plant.ts';
import styles from './plant-card.module.css';
import { pictureUrl } from './plant-pictures.ts';
import { SaveMarks } from './save-marks.tsx';

interface PlantCardProps {
  shown: ShownPlant;
  /** A link without text that lies over the card: what leads to the plant belongs to the address. */
  link: ReactNode;
  /** The watering status and the button, which belong to watering. */
  status: ReactNode;
  action: ReactNode;
  /** The latest readings, which belong to the sensors. */
  readings: ReactNode;
  /** What can be done to the plant, where that is offered. */
  menu?: ReactNode;
}

export function PlantCard({ shown, link, status, action, readings, menu }: PlantCardProps) {
  const { plant } = shown;
  const health = plant.iotIntegration.healthStatus;
  return (
    <article className={styles.card} aria-labelledby={`plant-${plant.id}`}>
      {link}
      <div className={styles.picture}>
        <img src={pictureUrl(plant.image)} alt="" width="1260" height="750" loading="lazy" />
        {!isHealthy(health) && (
          <span className={styles.badge} data-health={health}>
            <TriangleAlert aria-hidden size={14} /> {health}
          </span>
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.top}>
          <div className={styles.names}>
            <h3 id={`plant-${plant.id}`}>
              <bdi>{plant.nickname}</bdi>
            </h3>
            <p>
              <bdi>{plant.actualName}</bdi>
            </p>
          </div>
          {menu}
        </div>
        <div className={styles.states}>
          {status}
          <span>{healthText(health)}</span>
          <SaveMarks shown={shown} iconSize={14} />
        </div>
        {readings}
        <ul className={styles.facts}>
          <li>
            <CalendarClock aria-hidden size={16} />
            {everyDays(plant.wateringFrequency)}
          </li>
          <li>
            <Sun aria-hidden size={16} />
            {plant.sunlightRequirements.split(' ')[0]}
          </li>
          <li>
            <Thermometer aria-hidden size={16} />
            {plant.idealTemperatureRange.min}–{plant.idealTemperatureRange.max} °C
          </li>
        </ul>
        <div className={styles.action}>{action}</div>
      </div>
    </article>
  );
}
