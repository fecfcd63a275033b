import type { ReactNode } from 'react';
import type { Image } from '../../../lib/api.ts';
import styles from './image-grid.module.css';
import { imageInWords } from './image-in-words.rules.ts';

/** A thumbnail with name and size. @param aside beside the name, such as a menu */
export const ImageTile = ({ image, aside }: { image: Image; aside?: ReactNode }) => (
  <>
    <span className={styles.picture}>
      <img src={image.url} alt="" loading="lazy" decoding="async" />
    </span>
    <span className={styles.foot}>
      <span className={styles.words}>
        <span className={styles.name} title={image.filename}>
          {image.filename}
        </span>
        <span className={styles.facts}>{imageInWords(image)}</span>
      </span>
      {aside}
    </span>
  </>
);
