-- CreateEnum
CREATE TYPE "FigureDimension" AS ENUM ('campaign', 'template', 'step', 'domain', 'provider', 'client', 'device');

-- CreateEnum
CREATE TYPE "FigureUnit" AS ENUM ('quarter', 'day', 'total');

-- AlterTable
ALTER TABLE "Interaction" ADD COLUMN     "client" TEXT,
ADD COLUMN     "device" TEXT;

-- CreateTable
CREATE TABLE "FigureEntry" (
    "id" BIGSERIAL NOT NULL,
    "projectId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "campaignId" UUID,
    "templateId" UUID,
    "stepId" UUID,
    "domain" TEXT,
    "provider" TEXT,
    "client" TEXT,
    "device" TEXT,
    "link" TEXT,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "opens" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "clickers" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "FigureEntry_pkey" PRIMARY KEY ("projectId","id")
);

-- CreateTable
CREATE TABLE "Figure" (
    "projectId" UUID NOT NULL,
    "scopeId" UUID NOT NULL,
    "dimension" "FigureDimension" NOT NULL,
    "unit" "FigureUnit" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "sent" INTEGER NOT NULL,
    "delivered" INTEGER NOT NULL,
    "opened" INTEGER NOT NULL,
    "clicked" INTEGER NOT NULL,
    "bounced" INTEGER NOT NULL,
    "complained" INTEGER NOT NULL,
    "unsubscribed" INTEGER NOT NULL,
    "opens" INTEGER NOT NULL,
    "clicks" INTEGER NOT NULL,

    CONSTRAINT "Figure_pkey" PRIMARY KEY ("projectId","scopeId","dimension","unit","at","key")
);

-- CreateTable
CREATE TABLE "LinkFigure" (
    "projectId" UUID NOT NULL,
    "scopeId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "url" TEXT,
    "clicks" INTEGER NOT NULL,
    "clickers" INTEGER NOT NULL,

    CONSTRAINT "LinkFigure_pkey" PRIMARY KEY ("projectId","scopeId","hash")
);

-- CreateTable
CREATE TABLE "ContactCount" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "removed" INTEGER NOT NULL,

    CONSTRAINT "ContactCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MailboxDomain" (
    "domain" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "checkedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MailboxDomain_pkey" PRIMARY KEY ("domain")
);

-- CreateIndex
CREATE INDEX "ContactCount_projectId_at_idx" ON "ContactCount"("projectId", "at");

-- Figures by campaign, template, workflow step, sender domain and mailbox provider are entered where emails are counted: in the
-- transaction that changes the emails, as rows that a job adds to "Figure".
CREATE OR REPLACE FUNCTION count_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  g record;
  quarter timestamptz;
  changed boolean := (SELECT count(*) FROM after WHERE "unsubscribed") <> (SELECT count(*) FROM before WHERE "unsubscribed");
BEGIN
  FOR g IN
    SELECT e."projectId", e."sourceType", e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained, sum(e.sign)::int AS emails
    FROM (
      SELECT 1 AS sign, "projectId", "sourceType",
        date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
        date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
        date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained
      FROM after
      UNION ALL
      SELECT -1 AS sign, "projectId", "sourceType",
        date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
        date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
        date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained
      FROM before
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
      AND coalesce(e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained) IS NOT NULL
    GROUP BY e."projectId", e."sourceType", e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained
    HAVING sum(e.sign) <> 0
  LOOP
    changed := true;
    FOR quarter IN
      SELECT DISTINCT q FROM unnest(ARRAY[g.sent, g.delivered, g.opened, g.clicked, g.bounced, g.complained]) AS q WHERE q IS NOT NULL
    LOOP
      PERFORM add_email_counts(g."projectId", g."sourceType", quarter, ARRAY[
        g.emails * (g.sent IS NOT DISTINCT FROM quarter)::int, g.emails * (g.delivered IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.opened IS NOT DISTINCT FROM quarter)::int, g.emails * (g.clicked IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.bounced IS NOT DISTINCT FROM quarter)::int, g.emails * (g.complained IS NOT DISTINCT FROM quarter)::int]);
    END LOOP;
  END LOOP;
  -- A statement that changes no fact, such as one that erases addresses, moves nothing from one key to another.
  IF NOT changed THEN
    RETURN NULL;
  END IF;
  -- An opt-out has no time of its own; it happens in the statement that records it.
  INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
    "clicked", "bounced", "complained", "unsubscribed")
  SELECT x."projectId", x."at", x."campaignId", x."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = x."workflowStepExecutionId"),
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = x."contentId"),
    x.provider, x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.complained, x.unsubscribed
  FROM (
    SELECT h."projectId", f."at", h."campaignId", h."templateId", h."workflowStepExecutionId", h."contentId", h.provider,
      sum(h.emails * f.sent) AS sent, sum(h.emails * f.delivered) AS delivered, sum(h.emails * f.opened) AS opened,
      sum(h.emails * f.clicked) AS clicked, sum(h.emails * f.bounced) AS bounced, sum(h.emails * f.complained) AS complained,
      sum(h.emails * f.unsubscribed) AS unsubscribed
    FROM (
      SELECT e."projectId", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e.sent, e.delivered, e.opened,
        e.clicked, e.bounced, e.complained, e.unsubscribed, sum(e.sign) AS emails,
        coalesce((SELECT m."provider" FROM "MailboxDomain" m WHERE m."domain" = e.host), 'other') AS provider
      FROM (
        SELECT 1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId",
          split_part("to", '@', 2) AS host,
          date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
          date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
          date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin('15 minutes', now(), 'epoch') END AS unsubscribed
        FROM after
        UNION ALL
        SELECT -1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId",
          split_part("to", '@', 2) AS host,
          date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
          date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
          date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin('15 minutes', now(), 'epoch') END AS unsubscribed
        FROM before
      ) e
      WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
        AND coalesce(e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed) IS NOT NULL
      GROUP BY e."projectId", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e.host, e.sent, e.delivered,
        e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed
      HAVING sum(e.sign) <> 0
    ) h
    CROSS JOIN LATERAL (VALUES (h.sent, 1, 0, 0, 0, 0, 0, 0), (h.delivered, 0, 1, 0, 0, 0, 0, 0), (h.opened, 0, 0, 1, 0, 0, 0, 0),
      (h.clicked, 0, 0, 0, 1, 0, 0, 0), (h.bounced, 0, 0, 0, 0, 1, 0, 0), (h.complained, 0, 0, 0, 0, 0, 1, 0),
      (h.unsubscribed, 0, 0, 0, 0, 0, 0, 1)) f("at", sent, delivered, opened, clicked, bounced, complained, unsubscribed)
    WHERE f."at" IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) x
  WHERE (x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.complained, x.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_inserted_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_email_counts(NEW."projectId", NEW."sourceType", date_bin('15 minutes', t."at", 'epoch'), t.added)
  FROM (VALUES (NEW."sentAt", '{1,0,0,0,0,0}'::int[]), (NEW."deliveredAt", '{0,1,0,0,0,0}'), (NEW."openedAt", '{0,0,1,0,0,0}'),
    (NEW."clickedAt", '{0,0,0,1,0,0}'), (NEW."bouncedAt", '{0,0,0,0,1,0}'), (NEW."complainedAt", '{0,0,0,0,0,1}')) t("at", added)
  WHERE t."at" IS NOT NULL;
  INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
    "clicked", "bounced", "complained")
  SELECT NEW."projectId", date_bin('15 minutes', f."at", 'epoch'), NEW."campaignId", NEW."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = NEW."workflowStepExecutionId"),
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = NEW."contentId"),
    coalesce((SELECT m."provider" FROM "MailboxDomain" m WHERE m."domain" = split_part(NEW."to", '@', 2)), 'other'),
    f.sent, f.delivered, f.opened, f.clicked, f.bounced, f.complained
  FROM (VALUES (NEW."sentAt", 1, 0, 0, 0, 0, 0), (NEW."deliveredAt", 0, 1, 0, 0, 0, 0), (NEW."openedAt", 0, 0, 1, 0, 0, 0),
    (NEW."clickedAt", 0, 0, 0, 1, 0, 0), (NEW."bouncedAt", 0, 0, 0, 0, 1, 0), (NEW."complainedAt", 0, 0, 0, 0, 0, 1))
    f("at", sent, delivered, opened, clicked, bounced, complained)
  WHERE f."at" IS NOT NULL;
  RETURN NULL;
END $$;

ALTER TABLE "FigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "Figure" SET (fillfactor = 70);
ALTER TABLE "LinkFigure" SET (fillfactor = 70);

-- Contacts created and removed in a quarter of an hour, in as many rows as transactions that wrote at the same time, like EmailCount.
CREATE FUNCTION add_contact_counts(project uuid, new_ones int, gone int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  quarter CONSTANT timestamptz := date_bin('15 minutes', now(), 'epoch');
  free uuid;
BEGIN
  SELECT c."id" INTO free FROM "ContactCount" c
    WHERE c."projectId" = project AND c."at" = quarter LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "ContactCount" c SET "created" = c."created" + new_ones, "removed" = c."removed" + gone WHERE c."id" = free;
  ELSE
    INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed") VALUES (uuid7(), project, quarter, new_ones, gone);
  END IF;
END $$;
CREATE FUNCTION count_created_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_contact_counts(c."projectId", c.contacts, 0)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM created GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_created_counts" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION count_created_contacts();
-- The contacts of a project that is reset are not counted: their counts are removed with them.
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('postrider.uncounted', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM add_contact_counts(c."projectId", 0, c.contacts)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM removed GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_removed_counts" AFTER DELETE ON "Contact" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
ALTER TABLE "ContactCount" SET (fillfactor = 50);

-- Well-known domains. What is not here counts as 'other' until its MX records are known.
INSERT INTO "MailboxDomain" ("domain", "provider") VALUES
  ('gmail.com', 'google'), ('googlemail.com', 'google'), ('outlook.com', 'microsoft'), ('hotmail.com', 'microsoft'),
  ('live.com', 'microsoft'), ('msn.com', 'microsoft'), ('passport.com', 'microsoft'), ('windowslive.com', 'microsoft'),
  ('hotmail.co.uk', 'microsoft'), ('hotmail.fr', 'microsoft'), ('hotmail.de', 'microsoft'), ('hotmail.it', 'microsoft'),
  ('hotmail.es', 'microsoft'), ('hotmail.be', 'microsoft'), ('hotmail.nl', 'microsoft'), ('hotmail.ca', 'microsoft'),
  ('hotmail.com.ar', 'microsoft'), ('hotmail.com.br', 'microsoft'), ('hotmail.com.tr', 'microsoft'), ('hotmail.co.jp', 'microsoft'),
  ('hotmail.se', 'microsoft'), ('hotmail.no', 'microsoft'), ('hotmail.dk', 'microsoft'), ('hotmail.fi', 'microsoft'),
  ('hotmail.gr', 'microsoft'), ('hotmail.ch', 'microsoft'), ('hotmail.at', 'microsoft'), ('live.co.uk', 'microsoft'),
  ('live.fr', 'microsoft'), ('live.de', 'microsoft'), ('live.it', 'microsoft'), ('live.be', 'microsoft'), ('live.nl', 'microsoft'),
  ('live.ca', 'microsoft'), ('live.com.au', 'microsoft'), ('live.com.mx', 'microsoft'), ('live.se', 'microsoft'),
  ('live.no', 'microsoft'), ('live.dk', 'microsoft'), ('live.at', 'microsoft'), ('live.ie', 'microsoft'),
  ('live.com.pt', 'microsoft'), ('live.ru', 'microsoft'), ('live.jp', 'microsoft'), ('live.cn', 'microsoft'),
  ('live.co.za', 'microsoft'), ('outlook.fr', 'microsoft'), ('outlook.de', 'microsoft'), ('outlook.es', 'microsoft'),
  ('outlook.it', 'microsoft'), ('outlook.at', 'microsoft'), ('outlook.be', 'microsoft'), ('outlook.co.nz', 'microsoft'),
  ('outlook.co.th', 'microsoft'), ('outlook.com.ar', 'microsoft'), ('outlook.com.au', 'microsoft'), ('outlook.com.br', 'microsoft'),
  ('outlook.com.gr', 'microsoft'), ('outlook.com.tr', 'microsoft'), ('outlook.dk', 'microsoft'), ('outlook.ie', 'microsoft'),
  ('outlook.in', 'microsoft'), ('outlook.jp', 'microsoft'), ('outlook.kr', 'microsoft'), ('outlook.pt', 'microsoft'),
  ('outlook.sa', 'microsoft'), ('outlook.sg', 'microsoft'), ('outlook.cz', 'microsoft'), ('outlook.hu', 'microsoft'),
  ('outlook.lv', 'microsoft'), ('outlook.ph', 'microsoft'), ('outlook.sk', 'microsoft'), ('yahoo.com', 'yahoo'),
  ('ymail.com', 'yahoo'), ('rocketmail.com', 'yahoo'), ('aol.com', 'yahoo'), ('aim.com', 'yahoo'), ('aol.co.uk', 'yahoo'),
  ('aol.de', 'yahoo'), ('aol.fr', 'yahoo'), ('aol.it', 'yahoo'), ('verizon.net', 'yahoo'), ('myyahoo.com', 'yahoo'),
  ('yahoo.co.uk', 'yahoo'), ('yahoo.fr', 'yahoo'), ('yahoo.de', 'yahoo'), ('yahoo.it', 'yahoo'), ('yahoo.es', 'yahoo'),
  ('yahoo.ca', 'yahoo'), ('yahoo.in', 'yahoo'), ('yahoo.co.in', 'yahoo'), ('yahoo.com.br', 'yahoo'), ('yahoo.com.mx', 'yahoo'),
  ('yahoo.com.ar', 'yahoo'), ('yahoo.com.au', 'yahoo'), ('yahoo.co.id', 'yahoo'), ('yahoo.co.jp', 'yahoo'),
  ('yahoo.com.hk', 'yahoo'), ('yahoo.com.tw', 'yahoo'), ('yahoo.com.sg', 'yahoo'), ('yahoo.com.ph', 'yahoo'),
  ('yahoo.com.vn', 'yahoo'), ('yahoo.gr', 'yahoo'), ('yahoo.ie', 'yahoo'), ('yahoo.se', 'yahoo'), ('yahoo.no', 'yahoo'),
  ('yahoo.dk', 'yahoo'), ('yahoo.nl', 'yahoo'), ('yahoo.pl', 'yahoo'), ('yahoo.ro', 'yahoo'), ('yahoo.co.nz', 'yahoo'),
  ('yahoo.co.za', 'yahoo'), ('yahoo.com.tr', 'yahoo'), ('icloud.com', 'apple'), ('me.com', 'apple'), ('mac.com', 'apple'),
  ('proton.me', 'proton'), ('protonmail.com', 'proton'), ('protonmail.ch', 'proton'), ('pm.me', 'proton'), ('zoho.com', 'zoho'),
  ('zohomail.com', 'zoho'), ('zoho.eu', 'zoho'), ('zohomail.eu', 'zoho'), ('zoho.in', 'zoho'), ('fastmail.com', 'fastmail'),
  ('fastmail.fm', 'fastmail'), ('gmx.de', 'gmx'), ('gmx.net', 'gmx'), ('gmx.at', 'gmx'), ('gmx.ch', 'gmx'), ('gmx.com', 'gmx'),
  ('gmx.eu', 'gmx'), ('gmx.fr', 'gmx'), ('gmx.es', 'gmx'), ('gmx.co.uk', 'gmx'), ('gmx.us', 'gmx'), ('web.de', 'gmx'),
  ('email.de', 'gmx'), ('mail.com', 'gmx'), ('1und1.de', 'gmx'), ('t-online.de', 'telekom'), ('magenta.de', 'telekom'),
  ('freenet.de', 'freenet'), ('mail.ru', 'mailru'), ('inbox.ru', 'mailru'), ('list.ru', 'mailru'), ('bk.ru', 'mailru'),
  ('internet.ru', 'mailru'), ('yandex.ru', 'yandex'), ('yandex.com', 'yandex'), ('ya.ru', 'yandex'), ('yandex.by', 'yandex'),
  ('yandex.kz', 'yandex'), ('yandex.ua', 'yandex'), ('rambler.ru', 'rambler'), ('163.com', 'netease'), ('126.com', 'netease'),
  ('yeah.net', 'netease'), ('vip.163.com', 'netease'), ('qq.com', 'tencent'), ('foxmail.com', 'tencent'), ('vip.qq.com', 'tencent'),
  ('naver.com', 'naver'), ('daum.net', 'kakao'), ('hanmail.net', 'kakao'), ('kakao.com', 'kakao'), ('orange.fr', 'orange'),
  ('wanadoo.fr', 'orange'), ('free.fr', 'free'), ('sfr.fr', 'sfr'), ('neuf.fr', 'sfr'), ('club-internet.fr', 'sfr'),
  ('laposte.net', 'laposte'), ('libero.it', 'libero'), ('virgilio.it', 'libero'), ('iol.it', 'libero'), ('inwind.it', 'libero'),
  ('blu.it', 'libero'), ('tim.it', 'tim'), ('alice.it', 'tim'), ('tin.it', 'tim'), ('comcast.net', 'comcast'),
  ('xfinity.com', 'comcast'), ('att.net', 'att'), ('sbcglobal.net', 'att'), ('bellsouth.net', 'att'), ('pacbell.net', 'att'),
  ('swbell.net', 'att'), ('ameritech.net', 'att'), ('cox.net', 'cox'), ('charter.net', 'charter'), ('spectrum.net', 'charter'),
  ('rr.com', 'charter'), ('roadrunner.com', 'charter'), ('twc.com', 'charter'), ('btinternet.com', 'bt'), ('btopenworld.com', 'bt'),
  ('sky.com', 'sky'), ('virginmedia.com', 'virgin'), ('ntlworld.com', 'virgin'), ('blueyonder.co.uk', 'virgin'),
  ('virgin.net', 'virgin'), ('seznam.cz', 'seznam'), ('email.cz', 'seznam'), ('post.cz', 'seznam'), ('wp.pl', 'wp'), ('o2.pl', 'wp'),
  ('tlen.pl', 'wp'), ('onet.pl', 'onet'), ('onet.eu', 'onet'), ('op.pl', 'onet'), ('vp.pl', 'onet'), ('interia.pl', 'interia'),
  ('interia.eu', 'interia'), ('poczta.fm', 'interia'), ('uol.com.br', 'uol'), ('bol.com.br', 'uol'), ('terra.com.br', 'terra'),
  ('rediffmail.com', 'rediff'), ('ziggo.nl', 'ziggo'), ('home.nl', 'ziggo'), ('upcmail.nl', 'ziggo'), ('kpnmail.nl', 'kpn'),
  ('planet.nl', 'kpn'), ('hetnet.nl', 'kpn'), ('kpnplanet.nl', 'kpn'), ('telenet.be', 'telenet'), ('skynet.be', 'proximus'),
  ('proximus.be', 'proximus'), ('bluewin.ch', 'bluewin'), ('bigpond.com', 'telstra'), ('bigpond.net.au', 'telstra'),
  ('optusnet.com.au', 'optus'), ('shaw.ca', 'shaw'), ('bell.net', 'bell'), ('sympatico.ca', 'bell'), ('rogers.com', 'rogers'),
  ('ukr.net', 'ukrnet'), ('docomo.ne.jp', 'docomo'), ('softbank.ne.jp', 'softbank'), ('i.softbank.jp', 'softbank'),
  ('hey.com', 'hey'), ('mailbox.org', 'mailbox_org'), ('posteo.de', 'posteo'), ('posteo.net', 'posteo')
ON CONFLICT DO NOTHING;

-- What exists: as entries, which the next run of the job adds up. Creating the triggers has locked the contacts against writers until this
-- migration ends; the lock keeps the emails as they are, too.
LOCK TABLE "Email" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
  "clicked", "bounced", "complained", "unsubscribed")
SELECT e."projectId", date_bin('15 minutes', f."at", 'epoch'), e."campaignId", e."templateId", s."stepId",
  lower(split_part(c."from", '@', 2)), coalesce(m."provider", 'other'), sum(f.sent), sum(f.delivered), sum(f.opened), sum(f.clicked),
  sum(f.bounced), sum(f.complained), sum(f.unsubscribed)
FROM "Email" e
LEFT JOIN "Content" c ON c."id" = e."contentId"
LEFT JOIN "WorkflowStepExecution" s ON s."id" = e."workflowStepExecutionId"
LEFT JOIN "MailboxDomain" m ON m."domain" = split_part(e."to", '@', 2)
CROSS JOIN LATERAL (VALUES (e."sentAt", 1, 0, 0, 0, 0, 0, 0), (e."deliveredAt", 0, 1, 0, 0, 0, 0, 0), (e."openedAt", 0, 0, 1, 0, 0, 0, 0),
  (e."clickedAt", 0, 0, 0, 1, 0, 0, 0), (e."bouncedAt", 0, 0, 0, 0, 1, 0, 0), (e."complainedAt", 0, 0, 0, 0, 0, 1, 0),
  (CASE WHEN e."unsubscribed" THEN e."updatedAt" END, 0, 0, 0, 0, 0, 0, 1))
  f("at", sent, delivered, opened, clicked, bounced, complained, unsubscribed)
WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') AND f."at" IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6, 7;

INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "link", "clicks", "clickers")
SELECT e."projectId", date_bin('15 minutes', min(i."at"), 'epoch'), e."campaignId", e."templateId", s."stepId", i."link", count(*),
  count(DISTINCT e."id")
FROM "Interaction" i JOIN "Email" e ON e."id" = i."emailId"
LEFT JOIN "WorkflowStepExecution" s ON s."id" = e."workflowStepExecutionId"
WHERE i."type" = 'click' AND NOT i."bot" AND i."link" IS NOT NULL AND e."sourceType" NOT IN ('TEST', 'SYSTEM')
  AND e."status" NOT IN ('FAILED', 'SKIPPED') AND coalesce(e."campaignId", e."templateId", s."stepId") IS NOT NULL
GROUP BY e."projectId", e."campaignId", e."templateId", s."stepId", i."link";

INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed")
SELECT uuid7(), "projectId", date_bin('15 minutes', "createdAt", 'epoch'), count(*), 0 FROM "Contact" GROUP BY 2, 3;
