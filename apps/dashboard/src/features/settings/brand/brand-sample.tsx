import { brandFontStacks, textOn } from '@postrider/core/people/projects/contract';
import type { Brand } from '../../../lib/api.ts';
import styles from './brand-sample.module.css';

/** A short email in the colours and the font of the brand. */
export function BrandSample({ brand, projectName }: { brand: Brand; projectName: string }) {
  const { logoUrl, primaryColor, textColor, backgroundColor, font, address } = brand;
  return (
    <figure
      className={styles.sample}
      style={{ background: backgroundColor, fontFamily: brandFontStacks[font] }}
    >
      <figcaption className="visually-hidden">Sample of an email</figcaption>
      <div className={styles.sheet} style={{ color: textColor }}>
        {logoUrl === null ? (
          <p className={styles.name}>{projectName}</p>
        ) : (
          <img className={styles.logo} src={logoUrl} alt={`Logo of ${projectName}`} />
        )}
        <p className={styles.heading}>Your order is on its way</p>
        <p>
          We handed your parcel to the carrier this morning. It should arrive in two to three days. You can{' '}
          <span className={styles.link} style={{ color: primaryColor }}>
            follow it online
          </span>{' '}
          at any time.
        </p>
        <p>
          <span className={styles.button} style={{ background: primaryColor, color: textOn(primaryColor) }}>
            Track the parcel
          </span>
        </p>
      </div>
      <p className={styles.foot} style={{ color: textOn(backgroundColor) }}>
        {projectName}
        {address !== null && ` · ${address}`}
      </p>
    </figure>
  );
}
