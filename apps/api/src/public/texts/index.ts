import type { MailLanguage } from '@postrider/core/mail/sending';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { hi } from './hi.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import type { PageTexts } from './texts.ts';
import { zh } from './zh.ts';

export type { PageTexts } from './texts.ts';

export const texts: Record<MailLanguage, PageTexts> = { en, nl, fr, de, es, it, pt, pl, hi, ja, zh };
