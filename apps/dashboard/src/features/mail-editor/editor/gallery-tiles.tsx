import { MailThumb } from '../../../ui/mail-thumb.tsx';
import styles from './gallery-tiles.module.css';

interface GalleryTilesProps<Id extends string> {
  label: string;
  tiles: readonly { id: Id; name: string; note: string; html: string }[];
  onPick: (id: Id) => void;
}

/** Emails as pictures with their names, one of which is chosen. */
export const GalleryTiles = <Id extends string>({ label, tiles, onPick }: GalleryTilesProps<Id>) => (
  <ul className={styles.tiles} aria-label={label}>
    {tiles.map(({ id, name, note, html }) => (
      <li key={id}>
        <button type="button" className={styles.tile} onClick={() => onPick(id)}>
          <MailThumb html={html} />
          <span className={styles.name}>{name}</span>
          <span className={styles.note}>{note}</span>
        </button>
      </li>
    ))}
  </ul>
);
