import type { Image } from '../../../lib/api.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ImageActions } from './image-actions.tsx';
import styles from './image-grid.module.css';
import { ImageTile } from './image-tile.tsx';

/** Images to manage: each with a menu. */
export const ImageGrid = ({ images }: { images: readonly Image[] }) => (
  <ul className={styles.grid}>
    {images.map((image) => (
      <li key={image.id} className={styles.tile}>
        <ImageTile image={image} aside={<ImageActions image={image} />} />
      </li>
    ))}
  </ul>
);

interface ImageChoiceProps {
  images: readonly Image[];
  /** key of the chosen image */
  chosen: string | null;
  onChoose: (image: Image) => void;
}

/** Images to choose one of. */
export const ImageChoice = ({ images, chosen, onChoose }: ImageChoiceProps) => (
  <ul className={styles.grid}>
    {images.map((image) => (
      <li key={image.id}>
        <button
          type="button"
          className={styles.tile}
          aria-pressed={chosen === image.key}
          onClick={() => onChoose(image)}
        >
          <ImageTile image={image} />
          {chosen === image.key && (
            <span className={styles.mark}>
              <Icon name="check" size={13} />
            </span>
          )}
        </button>
      </li>
    ))}
  </ul>
);
