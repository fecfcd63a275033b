import type { MailLanguage } from '../../base/lib/mail-languages.ts';

/** The topic of marketing email that names none: every project has it from the beginning (behaviour B12.2). */
export const generalTopic = {
  key: 'general',
  number: 1,
  name: {
    en: 'News and offers',
    nl: 'Nieuws en aanbiedingen',
    fr: 'Actualités et offres',
    de: 'Neuigkeiten und Angebote',
    es: 'Novedades y ofertas',
    it: 'Novità e offerte',
    pt: 'Novidades e ofertas',
    pl: 'Nowości i oferty',
    hi: 'समाचार और ऑफ़र',
    ja: 'お知らせとご案内',
    zh: '资讯与优惠',
  } satisfies Record<MailLanguage, string>,
} as const;
