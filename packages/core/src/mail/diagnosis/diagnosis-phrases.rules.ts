import type { DiagnosisClass } from '../../base/kernel/enums.ts';

/**
 * What words can name: a class, or one of the facts that change what a class means.
 * - `unavailable`: no more than that the mailbox is unavailable.
 * - `null_mx`: the domain says that it accepts no mail (RFC 7505).
 * - `sender`: the sender is judged, not the recipient.
 * - `local`: a program that delivers, such as a filter, failed.
 * - `for_now`: a mailbox that is closed for a while.
 * - `blocked_only`: something is blocked, without a reason.
 */
export type Named =
  | Exclude<DiagnosisClass, 'other'>
  | 'unavailable'
  | 'null_mx'
  | 'sender'
  | 'local'
  | 'for_now'
  | 'blocked_only';

type Phrase = readonly [pattern: RegExp, example: string];

/**
 * The words of refusals, each with an example. They meet text that `wordsOf` made: lower case, without accents, addresses, URLs and codes. Gaps
 * are bounded, so that reading costs in proportion to the length.
 */
export const phrases: Readonly<Record<Named, readonly Phrase[]>> = {
  no_mailbox: [
    [
      /\bno such (local )?(users?|recipients?|mail ?box|account|address(ee)?|person|alias|e-?mail)\b/,
      'No such user here',
    ],
    [
      /\b(unknown|invalid|non-?existent|bad|illegal|unrecogni[sz]ed|wrong) (or (illegal|unknown|invalid) )?(virtual |local |final |target |destination |e-?mail )?(users?|recipients?|mail ?box|account|alias|address(ee)?|local[- ]?part|e-?mail)\b/,
      'Unknown or illegal alias',
    ],
    [
      /\b(users?|recipients?|mail ?box|accounts?|alias|addressee|address(es)?|username)( name)?( is| was| were| are)? (unknown|invalid|not found|not known|non-?existent|not recogni[sz]ed|unrecogni[sz]ed|not present in)\b/,
      'Mailbox not found',
    ],
    [
      /\b(user|recipient|mail ?box|account|address|inbox|customer|person|group|alias|e-?mail|rcpt|spectator)\b.{0,120}\b(does not|doesn't|doesnt|do not|did not|no longer|not) exists?\b/,
      'The email account that you tried to reach does not exist',
    ],
    [/\b(couldn't|could not|cannot|can't) be found\b/, "The email address you entered couldn't be found"],
    [
      /\b(wasn't|was not|isn't|is not|not) (found at|an? (valid|known|local|active) (mail ?box|recipient|user|address|e-?mail)|local\b(?! host)|our customer|email addresses)/,
      'This is not a valid mailbox',
    ],
    [
      /\bno (mail ?box|account|one|user|recipient|person)( is)? (here|at this|by that name|by this name|with that name|available for|found)\b/,
      'Sorry, no mailbox here by that name',
    ],
    [
      /\bnot listed in (the )?(domino|public|directory|name)|\bin name directory\b/,
      'User not listed in Domino Directory',
    ],
    [
      /\b(doesn't|does not|doesnt) have an? .{0,80}\baccount\b/,
      "This user doesn't have a people.example account",
    ],
    [/\b(this )?user has no account\b/, 'This user has no account'],
    [/\b(unroutable|unrouteable|undeliverable) (e-?mail |recipient )?address\b/, 'Unrouteable address'],
    [/(?<!sender )\baddress(es)? rejected(?!:)/, 'Address rejected.'],
    [/\b(badrcptto|badrecipientto|validrcptto)\b/, 'Sorry, this recipient is not in my validrcptto list'],
    [/\bbad destination\b(?! (domain|host|system|mailbox domain))/, 'Bad destination'],
    [/\binvalid final delivery userid\b/, 'Invalid final delivery userid'],
    [/\bno valid recipients\b/, 'No valid recipients, bye'],
    [/\b(user|mail ?box|recipient) has moved\b/, 'User has moved'],
    [/\bresolver\.adr\.(ex)?recip(ient)? ?notfound\b/, 'RESOLVER.ADR.RecipNotFound; not found'],
    [/\b(cuda_nsu|rcp-p1)\b/, 'cuda_nsu rejected'],
    [/\b(ofr|lpn)\d{0,3}_416\b/, 'OFR204_416 [416]'],
    [/\b(doesn't|does not) like recipient\b/, '192.0.2.7 does not like recipient.'],
    [/\bcan't accept user\b|\brecipient (is )?not (ok|accepted)\b/, "can't accept user"],
    [/\bmissing home directory\b|\bnot email addresses\b/, 'user missing home directory'],
    [/\bdestination server rejected recipients\b/, 'destination server rejected recipients'],
    [/\brecipient rejected\b(?!:)/, 'Recipient rejected'],
    [
      /\b(utilisateur|destinataires?|adresse|boite|compte)\b.{0,60}\b(inconnue?|inexistante?|invalides?|introuvable|n'existe (pas|plus))\b/,
      'Utilisateur inconnu !',
    ],
    [
      /\b(utente|destinatario|casella|indirizzo)\b.{0,60}\b(sconosciut[oa]|inesistente|non (trovat[oa]|esiste|valido))\b|\bnessun utente\b/,
      'Destinatario sconosciuto',
    ],
    [
      /\bno existe (ese |el |la |dicha |esa |este |esta )?(usuario|persona|cuenta|buzon|direccion|destinatario)\b/,
      'No existe ese usuario en este servidor',
    ],
    [
      /\b(usuario|destinatario|cuenta|conta|buzon|direccion|endereco|caixa postal)\b.{0,60}\b(desconocid[oa]|desconhecid[oa]|inexistente|no existe|nao existe|n?o encontrad[oa])\b/,
      'Caixa postal inexistente',
    ],
    [
      /\b(empfa(e)?nger|benutzer|nutzer|adresse|postfach|konto|mailbox|e-?mail-?adresse)\b.{0,60}\b(unbekannt|existiert nicht|nicht gefunden|nicht bekannt|ungu(e)?ltig|gibt es nicht)\b/,
      'Benutzer unbekannt',
    ],
    [
      /\b(gebruiker|ontvanger|adres|e-?mailadres|postbus|mailbox)\b.{0,60}\b(onbekend|bestaat niet|niet gevonden)\b/,
      'Gebruiker onbekend',
    ],
    [
      /\bnie ma takiego (uzytkownika|adresu|konta|odbiorcy)\b|\b(uzytkownik|adresat|odbiorca|skrzynka|adres|konto)\b.{0,60}\b(nieznan[yae]|nie istnieje|nie znalezion[yao])\b/,
      'Nie ma takiego użytkownika',
    ],
    [
      /\b(uzivatel|adresa|schranka|prijemce)\b.{0,60}\b(neexistuje|neznam[yae]|nenalezen[ao]?)\b/,
      'Uživatel neexistuje',
    ],
    [
      /\b(anvandaren|mottagaren|brugeren|modtageren|brukeren|mottakeren|adressen)\b.{0,60}\b(finns inte|findes ikke|finnes ikke|okand|ukendt|ukjent)\b/,
      'Mottagaren finns inte',
    ],
    [
      /(kullan[iı]c[iı]|al[iı]c[iı]|posta kutusu|adres).{0,40}(bulunamad[iı]|mevcut degil|bilinmiyor|gecersiz)/,
      'Kullanıcı bulunamadı',
    ],
    [
      /(пользовател|получател|адрес|ящик|аккаунт).{0,60}(не наиден|не существует|неизвестен)|нет такого (пользователя|ящика|адреса)/,
      'Пользователь не найден',
    ],
    [
      /(宛先|ユーザ|アドレス|メールボックス).{0,40}(存在しま|存在しな|見つかりま|不明)/,
      '宛先のメールアドレスが存在しません',
    ],
    [/(ディレクトリ|リスト).{0,20}ありません/, 'ディレクトリのリストにありません'],
    [/(用户|收件人|邮箱|账号|帐号|地址).{0,20}(不存在|未找到|无效)/, '用户不存在'],
    [/(사용자|수신자|주소|메일함).{0,30}(없|존재하지|찾을 수)/, '사용자를 찾을 수 없습니다'],
  ],
  no_domain: [
    [
      /\b(domain|host)( name)?s?( \S{1,80})? (does not|doesn't|do not|did not) exist\b/,
      'Domain people.example does not exist',
    ],
    [
      /\b(host|domain)( name)?( is)? (unknown|not found|nonexistent|invalid)\b/,
      'Host or domain name not found',
    ],
    [
      /\b(unknown|no such|invalid|bad|non-?existent|unrouteable|unroutable) (destination |mail |recipient |mailbox |destination mailbox )?(domain|host|system)\b/,
      'Unknown destination domain',
    ],
    [/\bname or service not known\b/, 'Name or service not known'],
    [/\bnxdomain\b|\binfodomainnonexistent\b/, 'DNS type mx lookup responded with code NXDOMAIN'],
    [/\b(recipient )?domain must exist\b/, 'recipient domain must exist'],
    [/\baccount or domain may not exist\b/, 'The account or domain may not exist'],
    [/\bno mx\b(?! error)/, 'no MX, no A'],
    [
      /\b(all )?relevant mx records point to non-existent hosts\b/,
      'all relevant MX records point to non-existent hosts',
    ],
    [/\billegal host\/domain name\b/, 'Illegal host/domain name found'],
    [
      /\bcouldn't find (a mail exchanger|any host named)\b/,
      "Sorry, I couldn't find a mail exchanger or IP address.",
    ],
    [/\bdead domain\b/, 'people.example is a dead domain'],
    [/\bdomaine (inconnu|inexistant)\b/, 'Domaine inconnu'],
    [
      /\b(dominio|domain|domaine) (desconocido|inexistente|no existe|sconosciuto|unbekannt|existiert nicht|onbekend|bestaat niet)\b/,
      'Dominio inexistente',
    ],
  ],
  null_mx: [
    [/\bindicated no smtp service\b/, 'an MX or SRV record indicated no SMTP service'],
    [/\bnull ?mx\b/, 'Recipient address has null MX'],
    [
      /\b(does not|doesn't|don't|never|not) accept(s|ing)? (any )?(e-?)?mail\b(?! (from|for|to|that|with|via|without|messages))/,
      'people.example does not accept mail',
    ],
  ],
  closed: [
    [
      /\b(users?|recipients?|mail ?box|account|address|inbox|customer|person)( name)?( (that )?you (tried|are trying) to (reach|contact))?( is| was| has been| have been| currently| permanently| rejected:){0,3}[:,]? (disabled|inactive|closed|suspended|deactivated|terminated|discontinued|deleted|frozen|archived|expired)\b/,
      'The email account that you tried to reach is disabled',
    ],
    [
      /\b(inactive|disabled|deactivated|closed|suspended|archived|frozen|expired) (user|account|mail ?box|recipient|address|alias)\b/,
      'This is a deactivated mailbox',
    ],
    [
      /\bno longer (valid|active|in use|in service|accepts? (e-?)?mail|available|with us|employed|works?|on server|monitored)\b/,
      'This address no longer accepts mail.',
    ],
    [/\b(account|mail ?box|user)( is)? not active\b/, 'This account is not active'],
    [
      /\bextended inactivity\b/,
      'due to extended inactivity new mail is not currently being accepted for this mailbox',
    ],
    [
      /\b(account|mail ?box) is blocked\b|\bcompte du destinataire est bloque\b|\b(ofr|lpn)\d{0,3}_426\b/,
      'The recipient account is blocked. LPN007_426',
    ],
    [/\brecipient suspend the service\b/, 'recipient suspend the service'],
    [/\bmail receiving disabled\b/, 'mail receiving disabled'],
    [/\baccount (is )?locked\b/, 'vdelivermail: account is locked email bounced'],
    [/\b(ofr|lpn)\d{0,3}_418\b/, 'OFR_418'],
    [
      /\b(boite|compte)( du destinataire| mail| e-?mail)?( est)? (archivee?|inactive|inactif|desactivee?|fermee?|suspendue?|supprimee?)\b/,
      'Boite du destinataire archivee',
    ],
    [
      /\b(konto|postfach|adresse|benutzer)\b.{0,40}\b(deaktiviert|geschlossen|gesperrt|gelo(e)?scht|stillgelegt|inaktiv)\b/,
      'Dieses Postfach wurde geschlossen',
    ],
    [
      /\b(cuenta|buzon|usuario|conta|caixa postal|casella)\b.{0,40}\b(desactivad|deshabilitad|inactiv|suspendid|cancelad|disattivat|disabilitat|inattiv|sospes|desativad)[oa]\b/,
      'La cuenta ha sido desactivada',
    ],
    [
      /(ящик|пользовател|аккаунт|учетная запись).{0,40}(заблокирован|отключен|удален|закрыт)/,
      'Почтовый ящик заблокирован',
    ],
    [/(用户|邮箱|账号|帐号).{0,12}(停用|禁用|冻结|注销)/, '账号已停用'],
  ],
  for_now: [
    [
      /\btemporar(il)?y (locked|suspended|disabled|blocked|inactive|closed|unavailable)\b/,
      'This account has been temporarily suspended',
    ],
    [/\bdisabled temporar(il|l)y\b/, 'account disabled temporarly for exceeding receiving limits'],
    [/\btemporarily inactive\b/, 'recipient rejected: temporarily inactive'],
  ],
  full: [
    [
      /\b(mail ?box|inbox|mail ?folder|mail ?dir|mail ?store|account|user|recipient|folder|disk|file ?system|storage)('s (mail ?box|inbox|account))?( for .{0,60}| of .{0,60})?( system)?( is| are| currently| temporarily| already){0,3} (full|over (its |the |his |their |disk |allotted |allowed )?(quota|limit)|overquota|out of (storage|space|disk))\b/,
      'The recipient mailbox is full',
    ],
    [
      /\b(over|exceed(ed|s|ing)?|above|larger than|reached)\b.{0,50}\b(?<!message )(quota|storage|mail ?box|disk space|disc quota|allowed size|allotted|allocation|inbox|space limit)\b/,
      'User mailbox exceeds allowed size',
    ],
    [
      /\b(?<!message )(quota|storage|mail ?box|disk|disc|mail ?dir|space|storage limit|inbox)\b.{0,40}\b(exceed(ed|s|ing)?|violation|overflow|used up|reached|would be over)\b/,
      'Mailbox quota exceeded',
    ],
    [/\b(over ?quota(perm|temp)?|full mail ?box)\b/, 'Recipient overquota'],
    [
      /\b(insufficient|not enough|not sufficient|no|lack of|out of) ((system|free|disk|storage|memory or disk) ){0,2}(space|storage|resources)\b|\bmail system full\b|\bdoes not have enough space\b/,
      'Insufficient system storage',
    ],
    [/\bquotaexceeded/, 'STOREDRV.Deliver.Exception:QuotaExceededException'],
    [
      /\btoo many messages on (the )?server\b|\btoo much mail data\b/,
      'user has too many messages on the server',
    ],
    [
      /\bmail file size exceeds the maximum size allowed for mail delivery\b/,
      'mail file size exceeds the maximum size allowed for mail delivery',
    ],
    [/\b(ofr|lpn)\d{0,3}_417\b/, 'OFR_417 [417]'],
    [
      /\bboite\b.{0,40}\b(pleine|saturee)\b|\bquota\b.{0,40}\b(depasse|atteint)\b/,
      'Boite du destinataire pleine',
    ],
    [
      /\b(postfach|mailbox|speicher\w{0,20}|konto)\b.{0,40}\b(voll|u(e)?berschritten|u(e)?berfu(e)?llt)\b/,
      'Das Postfach ist voll',
    ],
    [/\bbuzon\b.{0,30}\bllen[oa]\b|\bcuota\b.{0,30}\b(excedida|superada)\b/, 'Buzón lleno'],
    [/\bcasella\b.{0,40}\bpiena\b|\bquota\b.{0,20}\bsuperata\b/, 'Casella piena'],
    [/\bcaixa\b.{0,40}\b(cheia|lotada)\b/, 'Caixa postal cheia'],
    [/\b(postvak|mailbox)\b.{0,20}\bvol\b/, 'Het postvak is vol'],
    [/\bskrzynka\b.{0,30}(pe[lł]na|przepe[lł]nion)/, 'Skrzynka jest pełna'],
    [/ящик.{0,30}(переполнен|заполнен)/, 'Почтовый ящик переполнен'],
    [/(容量|メールボックス).{0,30}(超|いっぱい)/, 'メールボックスの容量を超えています'],
    [/(邮箱|空间).{0,12}(已满|不足)/, '邮箱空间已满'],
  ],
  authentication: [
    [/\b(spf|dkim|dmarc|openspf)\b(?! domain)/, 'SPF check: fail'],
    [/\bsender policy framework\b/, 'Sender Policy Framework violation'],
    [/\bunauthenticated\b(?! smtp)/, 'Unauthenticated email is not accepted'],
    [
      /\bauthentication (level|information|checks?|requirements|results?)\b/,
      'fails to pass authentication checks',
    ],
    [/\b(ptr|rdns|reverse (dns|host ?name|lookup|name|resolution|address))\b/, 'Bad DNS PTR resource record'],
    [
      /\bcannot find your (reverse )?host ?name\b|\bip name lookup failed\b|\bunresolvable relay host\b/,
      'Client host rejected: cannot find your hostname',
    ],
    [
      /\b(helo|ehlo)\b.{0,60}\b(rejected|invalid|bad|fail(ed|s)?|mismatch(es)?|denied|refused|required|need)\b|\b(invalid|bad) (helo|ehlo)\b/,
      'Helo command rejected: need fully-qualified hostname',
    ],
    [/\bspoof(ed|ing)\b/, 'Anti-Spoofing policy - Inbound not allowed'],
  ],
  blocked: [
    [/\b(black|block|deny|bad) ?list(ed|ing|s)?\b|\bblack-list/, 'Your domain is blacklisted'],
    [
      /\b(rbls?|rbl\+|dns(r)?bl|spamhaus|spamcop|sorbs|abuseat|uceprotect|invaluement|senderscore|mail-abuse)\b/,
      'Client host blocked using Spamhaus',
    ],
    [
      /\bblocked (using|by the reputation|by rbl)\b|\b(blocked|refused) - see\b|\bblocked by \$/,
      'Client host blocked using a list',
    ],
    [/:blocked\b/, 'permanent failure for one or more recipients (reader:blocked)'],
    [/\bbanned (sender|sending|ip)\b/, 'Access denied, banned sending IP'],
    [/\breputation\b/, "rejected due to the sending MTA's poor reputation"],
    [
      /\b(ips?|ip address|host|server|network|your domain)\b.{0,40}\b(blocked|banned|listed (as|at|in|on|by)|is listed)\b/,
      'your IP address is listed as abusive',
    ],
    [
      /\b(rate|frequency|speed)[- ]?limit(ed|s|ation)?\b|\brate control\b|\bthrottl(ed|ing)\b|\bslow(er)? down\b|\bagain slower\b/,
      'rate limited',
    ],
    [
      /\btoo many ((concurrent|smtp|simultaneous|unwanted|spam) ){0,2}(messages|connections|e?-?mails|recipients|spams?|sessions|errors|complaints|attempts)\b|\btoo much (mail|spam)\b/,
      'Too many connections from your host',
    ],
    [
      /\blimits? (for|on) how many\b|\bmax(imum)? (e-?mails|messages|sending rate) (per|exceeded)\b|\bconnection (rate )?limit\b|\b(messages|mails|emails) per (hour|day|minute)\b|\bmessage quota exceeded\b/,
      'has exceeded the max emails per hour',
    ],
    [
      /\bat a rate that\b|\bunusual (rate|sending|volume)\b|\bunexpected volume\b|\buser complaints\b|\bnumerous attempts\b|\breceiving limits?\b/,
      'receiving mail at a rate that prevents additional messages from being delivered',
    ],
    [/\bdynamic ip|\bdynamic\/|\bopen proxy\b|\bfrom dynamic\b/, "We do not accept email from dynamic IP's"],
    [
      /\b(like spammer|sending spam|spam source|is spammer|spammers)\b/,
      'your remotehost looks suspiciously like spammer',
    ],
    [/\bpart of their network\b|\bweren't sent\b/, "Unfortunately, messages from [192.0.2.10] weren't sent"],
    [
      /\[(tss|bl|ph|gl)\d\d\]|\b(dy|sc|rp|ou)-00\d\b|\bs(3140|3150|775)\b|\baup#|\b(hl|rp):[a-z]{3}\b|\b(rly|hvu|dyn|crl|rtr):[a-z]{1,2}\d?\b/,
      '[TSS04] deferred',
    ],
    [/\bip=\S{1,45} - a problem occurred\b/, 'IP=192.0.2.10 - A problem occurred.'],
    [/\b(ofr|lpn)\d{0,3}_(10\d|510)\b/, 'OFR006_102'],
    [/\babus detecte\b|\bgo away\b/, 'Client host rejected: Abus detecte'],
    [
      /\btrop de (connexions|messages|spams?)\b|\bliste noire\b|\blista (negra|nera)\b|\bschwarzen? liste\b/,
      'Adresse IP en liste noire',
    ],
    [/черном списке|черныи список/, 'ваш IP-адрес находится в черном списке'],
  ],
  blocked_only: [[/(?<!account is |account )\bblocked\b/, 'Message blocked']],
  content: [
    [
      /\b(spam|spammy|spamassassin|junk ?mail|ube|uce|unsolicited|bulk (mail|e-?mail|advertising))\b/,
      'Message rejected as spam',
    ],
    [
      /\b(virus(es)?|malware|phishing|trojan|infected|malicious|ransomware|executable)\b/,
      'The message contains a virus',
    ],
    [
      /\b(content|attachments?|url|headers?|mime|links?)\b.{0,40}\b(reject(ed|ion)?|block(ed)?|denied|not accepted|invalid|malformed|suspicious|banned|prohibited|refused|filter(ed|ing)?|missing|illegal|unacceptable|error|exceeds)\b/,
      'Mail content denied',
    ],
    [
      /\b(banned|prohibited|suspicious|invalid|malformed|missing|duplicate|corrupt|illegal|unacceptable|bad|rejecting)( (a|valid|message|mail|banned)){0,2} (content|attachments?|url|headers?|mime|message-id|date|subject)\b/,
      'Corrupt message content',
    ],
    [
      /\bnot rfc\b|\brfc ?\d{4} compliant\b|\bnon-?compliant\b|\bnot compliant\b|\bprotocol violation\b/,
      'This message is not RFC 5322 compliant',
    ],
    [
      /\bmedia not supported\b|\bconversion (required|not supported)\b|\bcontent conversion\b|\bmessage corrupt/,
      'Media not supported',
    ],
    [
      /\bmessage( was)? filtered\b|\bcontent filter|\brecurrent pattern\b|\bsecurity (issue|risk|threat)\b/,
      'Message filtered',
    ],
    [/\bdt:spm\b|\b(ofr|lpn)\d{0,3}_506\b/, 'DT:SPM 163'],
    [
      /\bcorreo no deseado\b|\bnao solicitad|\bcourrier indesirable\b|\bunerwu(e)?nschte\b|спам/,
      'Письмо отклонено как спам',
    ],
  ],
  too_large: [
    [
      /\b(message|mail|e-?mail|attachment|body|header|file|data)\b.{0,40}\b(too (large|big|long)|larger than|oversized?|exceed(s|ed)?\b.{0,40}\b(size|limits?|maximum|length))\b/,
      'Message too big for system',
    ],
    [
      /\b(size limit|size exceeds|message size|message length|databytes|recipsizelimit|routing\.sizelimit|max(imum)? ((inbound )?message )?size)\b/,
      'Maximum message size exceeded',
    ],
    [
      /\btaille (limite|maximale|du message)\b|\bmessage trop (gros|volumineux|long)\b/,
      'Taille limite du message atteinte',
    ],
    [/\b(nachricht|mail|e-?mail)\b.{0,20}\bzu (gross|groß|lang)(?!\p{L})/u, 'Die Nachricht ist zu gross'],
    [
      /\b(mensaje|messaggio|mensagem)\b.{0,20}\b(demasiado|troppo|muito) grande\b/,
      'Mensaje demasiado grande',
    ],
  ],
  policy: [
    [/\b(policy|policies|politique|richtlinien?|politica|beleid)\b/, 'Message rejected due to local policy'],
    [
      /\badministrative(ly)? (prohibition|prohibited|denied)\b|\bprohibit(s|ed|ion)?\b/,
      'Administrative prohibition',
    ],
    [/\brelay(ing)?\b/, 'Relaying denied'],
    [
      /\brcpthosts\b|\bnot a gateway\b|\bnot local host\b|\bdon't handle mail for\b|\bnon-accepted domain\b/,
      "that domain isn't in my list of allowed rcpthosts",
    ],
    [
      /\b(access|permission|authori[sz]ation) (is )?(denied|refused)\b|\bnot (authori[sz]ed|permitted|allowed)\b|\bunauthori[sz]ed\b|\brestrict(ed|ions?)\b/,
      'Access denied',
    ],
    [
      /\b(authentication|auth|starttls|tls|encryption)\b.{0,30}\b(required|needed|mandatory|first|requise)\b|\bmust (issue|authenticate)\b|\bnot authenticated\b|\bauthrequired\b|\bsendernotauthenticated/,
      'Must issue a STARTTLS command first',
    ],
    [
      /\bresolver\.rst\b|\bmailing list\b|\bmembers?[- ]only\b|\bby members\b|\bmoderat(ed|or)\b|\ballow(ed)?[- ]?(senders?|list)\b|\bwhite ?list|\blist of senders\b/,
      'You are not allowed to post to this mailing list',
    ],
    [
      /\brefuses? to (receive|accept)\b|\brecipient preferences\b|\buser (rules|reject)|\bblocked senders?\b|\brefuse to receive\b|\bby the recipient\b/,
      'user refuses to receive this mail',
    ],
    [
      /\btransport rule\b|\borgani[sz]ation(al)? (rejected|settings|policy)\b|\boutgoing blocked\b|\bblocked from sending\b/,
      'The organization rejected your message by a transport rule',
    ],
  ],
  sender: [
    [
      /\bsender('s)?( e-?mail| mail| ip| envelope)? (address|domain|verif\w{1,8}|verify|rejected|denied|unknown|invalid|is (not|invalid|unknown)|was rejected|callout|refused|not)\b/,
      'Sender address rejected: Domain not found',
    ],
    [
      /\b(invalid|bad|unknown|unroutable|unrouteable|bogus|illegal|forged|null|empty) (envelope )?(sender|mail from|from address|return[- ]path)\b/,
      'Invalid sender',
    ],
    [
      /\bdomain of (the )?sender\b|\bmail from\b|\bfrom address\b|\breturn[- ]path\b|\benvelope[- ]from\b|\bfrom: domain\b/,
      'Domain of sender address does not exist',
    ],
    [/\b(helo|ehlo)\b/, 'Invalid HELO name'],
    [/\bverification failed for\b/, 'Verification failed for this address'],
    [
      /\b(absender|expediteur|remitente|mittente|remetente|afzender|nadawc[ay])\b|отправител/,
      'Absender unbekannt',
    ],
  ],
  local: [
    [
      /\b(procmail|maildrop|command (died|failed|output)|mailer error|exit status|died with status|died on signal|x-unix|pipe to|unknown mailer error)\b/,
      'Command died with status 75: "/usr/bin/procmail"',
    ],
    [/\bcan't create (user )?output file\b/, "can't create user output file"],
  ],
  unavailable: [
    [
      /\bmail ?box( name)?( is| currently| or access){0,2} (unavailable|unavaiable|not available|denied)\b/,
      'Requested action not taken: mailbox unavailable',
    ],
    [
      /\b(user|recipient|account|address)( is| currently)? (unavailable|not available)\b/,
      'account is not available',
    ],
    [/\bis unavailable\b/, 'The recipient is unavailable'],
  ],
  unreachable: [
    [
      /\btimed? ?out\b|\btimeout\b|\bconnection (refused|reset|dropped|lost|closed|refulsed)\b|\bunreachable\b|\bno route to host\b|\bno answer from host\b|\b(could not|cannot|unable to|failed to) connect\b|\bnetwork error\b|\blost connection\b|\bdid not respond\b|\bnot reachable\b/,
      'Connection timed out',
    ],
    [
      /\b(retry|queue)\b.{0,40}\b(exceeded|expired|too long)\b|\b(message|delivery|mail)( time)? expired\b|\btoo long in queue\b|\bqueue too long\b|\bmax time without delivery\b|\bqueue\.expired\b|\bafter multiple retries\b|\bcould not be delivered for (more than )?\S{1,6} (days|hours)\b|\bfailing for a long time\b|\bgiving up on\b|\blong failure period\b/,
      'retry timeout exceeded',
    ],
    [
      /\bhop count\b|\btoo many hops\b|\b(mail|forwarding|routing) loops?\b|\bloop(s|ing)? (back|detected)\b|\blooping\b|\bwould create a .{0,10}loop\b|\bmany received: headers\b/,
      'Too many hops',
    ],
    [
      /\btemporar(y|ily|ly)\b|\btry (again )?later\b|\btry again (later|in)\b|\bplease try later\b|\bgr[ea]y ?-?list\w{0,6}\b|\bdeferred\b|\bcome back later\b|\bplease retry\b/,
      'Greylisted, please come back later',
    ],
    [
      /\bservice (is )?(currently )?(not available|unavailable)\b(?!; client)|\btoo busy\b|\bserver busy\b|\bshutting down\b|\binternal (server )?error\b|\b(local|server|system) (configuration|config) error\b|\blocal error\b|\blookup fail(ure|ed)\b|\bmisconfigured\b|\binput\/output error\b|\binterrupted system call\b|\bstoredrv\b|\bno mdb\b|\bencountered an error\b|\bqueue file write error\b/,
      'Service currently unavailable',
    ],
    [
      /\bdns (query failed|failure|lookup failure)\b|\bhost not found,? try again\b|\bname (resolution|server failure)\b|\bmalformed (or unexpected )?name server\b|\bname server: \.: host not found\b/,
      'temporary failure in name resolution',
    ],
    [/\bunverified address\b|\bmail ?box busy\b/, 'unverified address'],
  ],
};
