import type { MailLanguage } from '../../../base/lib/mail-languages.ts';
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
import type { MailTexts } from './texts.ts';
import { zh } from './zh.ts';

export type { MailText, MailWriters } from './texts.ts';

export const texts: Record<MailLanguage, MailTexts> = { en, nl, fr, de, es, it, pt, pl, hi, ja, zh };
