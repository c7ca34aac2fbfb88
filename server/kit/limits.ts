// Every bound of the product, by name. Plain data that imports nothing, so the browser and db/ may load it too.
//
// The structure check refuses a bound written as a number anywhere else, with these exceptions:
// - The bounds of a setting are in env-schema.ts and env-values.ts, beside the setting.
// - Timeouts, intervals and pauses are beside the code that waits. Those of fair scheduling (turns.ts, pauses.ts) make
//   sense only together, so their shares and slices stay there; only the numbers of callers they remember are here.
// - server/domains/ledger/verify has its own numbers: a proof shares no code with what it proves.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  // Fields of the API and the forms. Texts in UTF-16 code units (passwords in code points), amounts in minor units.

  /** Twelve digits, as in ISO 8583 field 4. */
  amount: 999_999_999_999,
  /** Parts of a postal address. */
  address: { line: 120, postalCode: 20 },
  /** The name of an operation in the audit log. */
  auditAction: 80,
  /** Addresses and networks that may use an API key, and characters of each: IPv6 with a dotted tail and a prefix. */
  allowedAddresses: { entries: 20, entry: 49 },
  authorizationHeader: 512,
  clientVersion: 100,
  /** Letters of an ISO 4217 code. */
  currencyCode: 3,
  cursor: 512,
  description: 280,
  deviceId: 200,
  email: 254,
  id: 64,
  idempotencyKey: 255,
  /** An ISO 8601 date and time with any precision and offset. */
  instant: 40,
  /** A BCP 47 tag. */
  languageTag: 35,
  /**
   * Invoices. Characters of the legal name, the prefix of numbers, the purchase order, and of the other texts. The issue
   * date is at most `daysBack` before the day on which the number is given; dates of a service are at most `serviceDays`
   * away.
   */
  invoice: {
    ...{ legalName: 200, prefix: 20, purchaseOrder: 80, text: 1_000, footer: 500 },
    /** Characters of one reason for an exemption, and different reasons: those of a category are printed together. */
    ...{ exemptionReason: 200, exemptionReasons: 5 },
    ...{ daysBack: 366, serviceDays: 3_660 },
    /** The terms of payment that forms offer, in days. The first one is the default. */
    paymentDays: [14, 30, 60] as const,
  },
  /** Numbers of invoices that the erasure of a customer names. */
  keptDocuments: 1_000,
  lineItems: 100,
  /**
   * Reusable links. `uses`: the largest limit. `unconfirmed` places of a limited link, or one in `unconfirmedShare`, may
   * be held at a time by one address that has not paid. `usesPerAddress`: uses that one address may begin in an hour,
   * whatever becomes of them. `declines` of one link in an hour need attention, for `alertMs`. `shownForms`: of all links,
   * that a browser remembers.
   */
  links: {
    uses: 10_000,
    ...{ unconfirmed: 2, unconfirmedShare: 10, usesPerAddress: 100 },
    ...{ declines: 20, alertMs: dayMs, shownForms: 16 },
    /** How many times what one address may do on a link its neighborhood may do. */
    perNeighborhood: 3,
    /**
     * Confirmations of a link that are open, or were never given within an hour: from so many on, and more than were
     * paid meanwhile, strangers are slowed down as after `LINK_DECLINES` declines. More, because payers who leave one
     * have done nothing suspicious.
     */
    unconfirmedOnLink: 50,
    /**
     * Then: failed attempts of one address and of one neighborhood in an hour, and of all in a minute,
     * without those who have paid through the link within `knownMs`.
     */
    slow: { address: 1, neighborhood: 5, perMinute: 5, knownMs: 30 * dayMs },
  },
  /**
   * Logos. `bytes`, `pixels` and `side`: of an uploaded image, before anything is decoded. A very long side would take
   * gigabytes of memory. `width`, `height` and `storedBytes`:
   * of the image that is made of it. `characters`: of the upload in base64.
   */
  logo: {
    bytes: MiB,
    characters: 4 * Math.ceil(MiB / 3),
    pixels: 16_000_000,
    side: 8_192,
    width: 480,
    height: 160,
    storedBytes: 12 * KiB,
  },
  metadata: { keys: 50, key: 40, value: 500 },
  name: 120,
  /** Entries of an account's notification settings, and characters of each name. */
  notifications: 20,
  notificationName: 40,
  phone: 40,
  password: { min: 8, max: 128, bytes: 1024 },
  /** A code of an authenticator app or a recovery code, however it is grouped. */
  oneTimeCode: 64,
  quantity: 999_999,
  reason: 256,
  reference: 80,
  requestId: 128,
  searchText: 100,
  /** Letters of a line item's name above the folded items of a pay page. */
  foldedName: 50,
  statementDescriptor: 22,
  subscriptionCycles: 1_200,
  /** Cycles that the page of a subscription shows. */
  shownCycles: 100,
  subscriptionIntervalCount: 365,
  /** The longest pause that ends by itself. */
  subscriptionPauseDays: 366,
  /** A new amount above so many times the one that was charged last must be confirmed. */
  subscriptionAmountFactor: 3,
  taxId: 40,
  taxRateBasisPoints: 10_000,
  /** An IANA time zone. */
  timeZone: 64,
  /** Secrets in links to pay pages and in their forms, and in one-time links. */
  linkToken: 128,
  oneTimeToken: 200,
  trialDays: 730,
  /** Letters and digits of a unit in UN/ECE Recommendation 20. */
  unitCode: { min: 2, max: 3 },
  url: 2_048,
  userAgent: 400,
  waitSeconds: 60,
  /** How many times the suggested amount a payer may type without being asked to confirm it. */
  farAbove: 10,
  /**
   * What the browser accepts in the fields of a pay form; `text` is what the server reads of each. `shortest`: digits of
   * the shortest card numbers. An amount with as many is not kept in an address.
   */
  cardForm: { number: 32, expiry: 9, code: 4, text: 64, shortest: 12 },
  /** What is read of an Accept-Language header: in the dashboard, and on hosted pages. */
  acceptLanguage: { tags: 20, hosted: { characters: 200, tags: 10 } },

  // Lifetimes and retention.

  /** For how many years invoices to erased customers may be kept. */
  invoiceRetentionYears: { least: 1, most: 30 },
  /** When a payment request expires by default, and at the latest. Invoices do not expire by default. */
  expiryDays: { default: 30, longest: 366 },
  /** An authorization is captured within this time, or released. */
  captureDays: 7,
  /** How many days ago recorded money may have moved. A date further away is a typing error. */
  effectiveDays: 3_660,
  /**
   * Parts of which a payment request can consist: of the payer's own choice, and of payments that were received otherwise.
   */
  partsOfRequest: 100,
  /** Installments of a payment request, and how many days from now the last one may be due. */
  installments: { least: 2, most: 36, longestDays: 3_660 },
  resetLinkMinutes: 30,
  /**
   * Links about e-mail addresses. `hours`: how long one that verifies or changes an address works. `undoDays`: how long
   * one that undoes a change works. `perUserAndHour`: verification mails that a user may ask for; `perMailboxOfUser`:
   * of those, to one mailbox in an hour. `perMailboxAndHour`: verification mails to a mailbox, of all users together.
   */
  emailLinks: { hours: 24, undoDays: 7, perUserAndHour: 5, perMailboxOfUser: 3, perMailboxAndHour: 10 },
  /** Undoing a change of address also removes second factors set up in this time before the change was asked for. */
  undoneFactorHours: 24,
  /** How long an authenticator app can be confirmed after its key was shown. */
  totpSetupMinutes: 15,
  /** How long a browser may take to answer a challenge with a passkey. */
  passkeyChallengeMinutes: 5,
  invitationDays: 7,
  /** How long the link works with which a customer stores another card for a subscription. */
  cardLinkDays: 7,
  /** How long the previous secret of an API key still works after a rotation. */
  overlapHours: { default: 24, longest: 168 },
  /** The window in which successful and failed sign-ins are counted. */
  signInWindowMinutes: 15,
  /**
   * Wrong one-time codes of a user in that window: on all unknown devices together, on each known one, and for a new
   * app; and with each reset link until it expires. So a password thief has at most 480 tries a day, or
   * 840 with access to the user's mail (`resets.mailsPerHour`), of a million codes of which three are right.
   */
  wrongCodes: 5,
  /** A sign-in older than this is not fresh enough for step-up (OWASP ASVS 5.0 7.5.3). */
  freshSignInMinutes: 10,
  /**
   * Exchanges of refresh tokens. `replayMinutes`: how long one can be replayed, unless one of its tokens has been used.
   * `slipSeconds`: for how long after it the reuse of the spent token counts as a client's mistake, not as theft.
   */
  refresh: { replayMinutes: 10, slipSeconds: 10 },
  /**
   * Charges. `startMs`: a charge starts at its provider within this time of being recorded, or never. `firstLookupMs`:
   * when an unanswered call is first looked up, later than the latest start plus the timeout of any call. `confirmMs`:
   * how long a payer may take to confirm an attempt before it is given up. `lateCaptureMs`: how long after an
   * authorization lapses we still try a capture that was requested before. `unansweredMs`: how long a provider may owe
   * an answer before the transaction needs attention; look-ups usually have it within two minutes.
   */
  charge: {
    ...{ startMs: 10_000, firstLookupMs: 30_000, confirmMs: 15 * minuteMs, lateCaptureMs: dayMs },
    unansweredMs: 5 * minuteMs,
  },
  /**
   * The clock of a sandbox organization. `callDays`: how far one call moves it; `years`: how far it may be ahead of real
   * time; `waitMs`: how long a call waits for the acts that became due; `sliceMs`: after how long a worker looks for
   * other work; `moved`: how many jobs it moves at once.
   */
  sandboxClock: { callDays: 366, years: 20, waitMs: 20_000, sliceMs: 2_000, moved: 1_000 },
  /**
   * A storm of provider events in a sandbox: among how many of the latest transactions it looks for those of a provider,
   * how often it repeats each event at most, how many look-ups it makes at once, and how long it keeps others out if its
   * process dies.
   */
  storm: { transactions: 100, duplicates: 10, atOnce: 4, leaseMs: minuteMs },
  /** How long a pay form can be sent after it was shown. */
  payFormMs: dayMs,
  /**
   * How long records are kept: the response to an Idempotency-Key, an ended session, a device since it was last seen,
   * the bodies of a mail, a one-time link and an invitation since it expired.
   */
  kept: {
    idempotencyKeyMs: 30 * dayMs,
    sessionMs: 90 * dayMs,
    apiDeviceMs: 30 * dayMs,
    deviceCookieMs: 400 * dayMs,
    mailBodyMs: 90 * dayMs,
    linkMs: 30 * dayMs,
    invitationMs: 90 * dayMs,
  },

  // Limits per organization, user, account or payment request.

  /** API keys of an organization that have not been revoked. */
  apiKeys: 500,
  /**
   * Minor units of one account in one currency. `byRequest`: just under half of what can be stored exactly, which
   * leaves room for everything in progress at providers. `byTransfer`: how far transfers from other accounts may fill
   * it.
   */
  balance: { byRequest: 4_500_000_000_000_000, byTransfer: 1_000_000_000_000_000 },
  /** Credits of a customer that one payment may be made of. A later payment uses the next ones. */
  creditSources: 100,
  /** Known devices per user, for dashboard and API separately. Beyond that, the least recently seen is forgotten. */
  knownDevices: 10,
  /** The largest `ACCOUNTS_PER_OWNER`. SQLite takes 32,766 values in a statement, and lists name each account twice. */
  ownedAccounts: 10_000,
  /**
   * Failed attempts within `countedMs` after which the page of a payment request takes no card until its merchant lets
   * cards be tried again: those that were declined, and confirmations that payers left or let pass. One address has to
   * wait much earlier: see `PAY_FAILURES_PER_LINK`.
   */
  failures: { declined: 30, abandoned: 50, countedMs: 30 * dayMs },
  /**
   * Form posts of one address on one pay link that are not attempts: mistyped cards, confirmations answered or
   * abandoned.
   */
  payFormsPerHour: 60,
  /**
   * Passkeys of a user, the bytes of each, and challenges that an address block may ask for in fifteen minutes: enough
   * for an office behind one address.
   */
  passkeys: { perUser: 10, credentialId: 1_400, response: 16 * KiB, transports: 8, challenges: 600 },
  receiptMovements: 100,
  /** How many a user gets, and with how many left the profile warns. */
  recoveryCodes: 10,
  fewRecoveryCodes: 2,
  /** Of an organization. */
  invitationsPerDay: 100,
  /**
   * Links to reset a password. `mailsPerHour`: mails to one address that anyone asked for, and separately mails to one
   * user that admins sent. `requestsPerHour`: requests from one address block.
   */
  resets: { mailsPerHour: 3, requestsPerHour: 20 },
  /** Currencies with an amount of their own for step-up. */
  stepUpAmounts: 200,
  /** Beyond it, the oldest session ends. */
  sessionsPerUser: 100,

  /**
   * Mails. `bytes`: of both bodies together. `message`: what a sender may add to a payment request's mail. `answer`:
   * what is kept of a mail server's answer, of which `response` bytes are read. `subject`: characters. Mails about
   * payments, and invitations, per hour: of an account, of a user, of an organization.
   * `perRecipient` and `perRequest`: per day, from one organization to one address and about one payment request;
   * `perRecipientOfMember`: how many of `perRecipient` one member may use.
   * `patienceMs`: how long a mail waits for room within these limits, or for a mail server that is no longer set.
   * `newDevicesPerHour`: notices to one user of sign-ins from new devices and of sessions used on other devices.
   * `noticesPerHour`: notices to one user about the user, and as many to an admin about the organization.
   * `noticedAdmins`: admins of an organization who get a notice that concerns it.
   */
  mail: {
    bytes: 30 * KiB,
    message: 500,
    answer: 500,
    response: 64 * KiB,
    subject: 250,
    perAccount: 200,
    perUser: 500,
    perOrganization: 1_000,
    perRecipient: 5,
    perRecipientOfMember: 4,
    perRequest: 3,
    /** Mails a day that tell an account that a customer asks for a new link. */
    perAccountOfLinkRequests: 50,
    patienceMs: 2 * dayMs,
    testsPerHour: 20,
    newDevicesPerHour: 10,
    noticesPerHour: 30,
    noticedAdmins: 100,
  },

  /** Planned reminders of a payment request, and how many days before or after its date each may go. */
  /**
   * Planned reminders go at the `hour` of the day, unless the account sets another one. Late ones go within
   * `wakingHours` from then on the same day. Home names those that have waited longer than `lateMs`.
   */
  reminders: { perRequest: 10, days: 60, hour: 9, lastHour: 23, wakingHours: 11, lateMs: dayMs },

  // Lists, searches and downloads.

  /** A page ends before its `limit` after `bytes` of stored text. */
  page: { default: 20, max: 100, bytes: 256 * KiB },
  /**
   * What a list of changes reads: `window` candidates at a time, `windows` times at most. What is younger than `behindMs`
   * waits for the next call, because instants are rounded.
   */
  changes: { window: 50, windows: 40, behindMs: 10 },
  /** Records that a call may name one by one. */
  selection: 100,
  /** Words of one search, and indexed words of one record. */
  searchWords: 8,
  indexedWords: 64,
  /**
   * Totals are exact up to so many matches. An estimate reads the sample until it has found so many `matches` or read so
   * many `rows`, is kept for so long, in milliseconds, and so many are kept.
   */
  totals: { exact: 1_000, matches: 400, rows: 5_000, keptMs: 60_000, kept: 500 },
  /**
   * What one call may scan in a list where no index serves the filter: a window of `first` candidates, then
   * `windows` of `window` each. Lists that are scanned together share a window; each gets at least `least` candidates.
   * Totals are counted `countWindow` at a time. Rows count as `rowBytes` each until some have been read. A word or value
   * that at most `few` records have is looked up directly. Up to `accounts` accounts are scanned as separate lists.
   */
  look: {
    first: 200,
    window: 2_000,
    windows: 10,
    least: 50,
    countWindow: 5_000,
    rowBytes: 12 * KiB,
    few: 2_000,
    accounts: 100,
  },
  /**
   * Records of each kind that the search over everything finds, and accounts and users that it looks through, the
   * newest.
   */
  foundOfKind: 5,
  foundAmong: 5_000,
  /** Views that a user may save, characters of their names, and of their filters as a query. */
  savedViews: { perUser: 50, name: 80, filters: 2_000 },
  /** Columns of a list that are remembered, and characters of their names. */
  listColumns: { perList: 30, name: 30 },
  /** Newer pages that the address of a page of a list leads back to, one after the other. */
  rememberedPages: 20,
  /**
   * The figures of the home page: periods to choose from, in days; windows of `look.countWindow` of the newest
   * transactions or payment requests that a call adds up, about twice as many with several accounts or statuses;
   * currencies that are in sight at once; the others are behind a button. What ends within `soonMs` needs attention;
   * `counted` of each kind at most, and the page shows one less as "or more".
   */
  overview: { days: [7, 30, 90], windows: 20, currencies: 4, transactions: 10, soonMs: 2 * dayMs, counted: 1_000 },
  /** For how long Home lists payers beyond the limit of a reusable link, and requests for a new link. */
  attentionMs: 30 * dayMs,
  /** For how long a mail that could not be delivered is said to need attention. */
  failedMailsShownMs: 7 * dayMs,
  /** Mails that the page of a payment request shows. */
  shownMails: 10,
  /** A customer's page: payment requests whose amounts it adds up, exactly, and rows of each kind that it shows. */
  customerActivity: { requests: 5_000, shown: 10 },
  /** Overpaid payment requests that the dashboard shows. */
  attention: 10,
  /** Admins without a second factor whom the settings name. */
  shownAdmins: 10,
  /** Refunds on a transaction's page. */
  shownRefunds: 20,
  /**
   * Downloads in progress: of a caller, of all callers of an address, and in this process. The last places are reserved
   * for addresses without any. Each part is read, sent and dropped before the next.
   */
  download: {
    perCaller: 2,
    perAddress: 8,
    inAll: 16,
    newcomers: { places: 6, each: 1 },
    partRows: 100,
    partBytes: 64 * KiB,
    stalledMs: 30_000,
    longestMs: hourMs,
  },

  // HTTP.

  /** Bytes of a request body. */
  bodyBytes: 64 * KiB,
  /** Bytes of the body of an upload. */
  uploadBytes: 1_400 * KiB,
  /** Bytes of an oversized or refused body that are still read and dropped before the connection is closed. */
  bodyDrainBytes: MiB,
  /** Bytes of a submitted pay form. */
  payFormBytes: 8 * KiB,
  headerBytes: 16 * KiB,
  queryBytes: 8 * KiB,
  jsonDepth: 20,
  /** Addresses in `X-Forwarded-For`. No real chain of proxies has nearly as many. */
  forwardedHops: 32,
  /** Faults that an `invalid_request` describes, and characters of each field's name. */
  describedFaults: { lines: 20, fieldName: 60 },
  /** Open connections. `CONNECTIONS_PER_ADDRESS` limits those of one address. */
  connections: { inAll: 2_000, newcomers: { places: 200, each: 8 } },
  /** Connections that the system queues until they are accepted. It drops others; clients retry after a second. */
  connectionBacklog: 4_096,
  /**
   * Requests that wait on a connection for the response to an earlier one, and names and values of their headers: many
   * small ones take ten times the memory of their bytes.
   */
  pipelined: { requests: 16, headerStrings: 1_000 },
  /** Bytes of request bodies in progress: of one caller, of one address, and in total. */
  bodiesAtOnce: {
    perCaller: 4 * MiB,
    perAddress: 8 * MiB,
    inAll: 32 * MiB,
    newcomers: { places: 8 * MiB, each: 256 * KiB },
  },
  /** Bytes of responses that readers have not yet received: of one address, and in total. */
  unreadBytes: { perAddress: 8 * MiB, inAll: 64 * MiB },

  // How much of the process one caller may use. See env-schema.ts for the limits that an operator sets.

  /** Concurrent requests of a user or API key. */
  requestsAtOnce: 100,
  /** Requests of a caller that may start within `forMs` milliseconds before one of them has ended. Others wait. */
  begun: { atOnce: 16, forMs: 200 },
  /** Longest time in milliseconds that work keeps its place after its connection has closed. */
  abandonedWorkMs: 120_000,
  /** Parts of lists, searches, counts and downloads of a user or API key that are read concurrently. Others wait. */
  piecesAtOnce: 1,
  /** Calls that may wait for a change at the same time. */
  polls: { perCaller: 20, perAddress: 200, inAll: 500, newcomers: { places: 100, each: 5 } },
  /** A call counts once more against the rate limit for every 32 KiB of body and response. */
  bytesPerCall: 32 * KiB,
  /** Calls over the rate limit that are refused without delay, per caller and window. */
  promptRefusals: 20,
  /** Passwords that are hashed concurrently, each on its own thread, and that may wait for it. */
  passwordsAtOnce: { running: 2, waiting: 50 },
  /** Uploaded images that wait to be read: of one caller, of one address, and in total. One is read at a time. */
  imagesAtOnce: { perCaller: 2, perAddress: 4, inAll: 20, newcomers: { places: 8, each: 1 } },
  /** PDF files that wait to be made: of one address, and in total. One is made at a time. */
  papersAtOnce: { perCaller: 3, inAll: 20, newcomers: { places: 8, each: 1 } },
  /** Log lines per minute for requests that are refused before any work. Further ones are only counted. */
  refusalLines: { perAddress: 60, inAll: 1_000, newcomers: { places: 200, each: 5 } },
  /** Audit entries for refusals per minute and process, and address blocks that are counted separately. */
  refusalEntries: { perBlock: 10, inAll: 60, blocks: 60 },
  /** Levels of an object that the log writes. */
  logDepth: 6,

  // What one process remembers.

  /** Callers by credential, callers over their rate limit, and callers with their working time. */
  remembered: { credentials: 10_000, refused: 10_000, workers: 1_000 },
  /** Cached number and date formats, language tags and brand colors. */
  rememberedFormats: 200,
  rememberedLanguages: 500,
  rememberedColors: 100,
  /** Shapes of a query for which a prepared statement is kept. */
  preparedShapes: 100,
  /** Statements that the reading connection of SQLite keeps. */
  keptStatements: 200,
  /** Bytes of its disk that a backup leaves free, because the database may be on the same disk. */
  backupSpareBytes: 64 * MiB,
  /** Copies of one database with an unsound ledger that are kept in a folder. */
  unsoundCopies: 2,
  /** How long the daily backup may take, in milliseconds: one that takes longer waits for a disk that hangs. */
  backupMs: 6 * hourMs,
  /** Bytes to which SQLite truncates a write-ahead log that grew while someone read for long. */
  writeAheadLogBytes: 64 * MiB,

  // Background work.

  /** How far the clocks of two machines may differ, in milliseconds. */
  clockSkewMs: minuteMs,
  /** How far the clocks of two processes that follow the same database may differ, in milliseconds. */
  ledgerSkewMs: 2_000,
  /** Jobs that a worker runs at the same time: pressing ones, bulk work, mails, and subscriptions. */
  jobsAtOnce: { pressing: 16, bulk: 40, mails: 8, subscriptions: 8 },
  /** Failures in a row after which a job is dead: more than a day of retries. */
  jobFailures: 40,
  /** Characters of a job's last error. */
  jobError: 500,
  /** Failed jobs that one call may retry. */
  jobsRetried: 1_000,
  /** Due jobs of a priority, and dead jobs, that /metrics counts. */
  countedJobs: 1_000,
  /**
   * From when on the dashboard calls something wrong with the server, as docs/operating.md does: the age of the last
   * backup and proof, how long a job has been due, the write-ahead log, and the free part of the disk.
   */
  alarm: {
    backupMs: 2 * dayMs,
    proofMs: 2 * dayMs,
    dueMs: 2 * minuteMs,
    writeAheadLogBytes: 128 * MiB,
    freeBytes: { watch: 2_048 * MiB, act: 512 * MiB },
  },
  /** Rows or pieces of work that share a transaction or statement, so that nobody waits long for the writer. */
  batch: {
    /** Payment requests canceled per transaction when their account closes, and transactions per run of that job. */
    cancel: 100,
    cancelRuns: 10,
    /** Subscriptions canceled per transaction when their account closes. */
    cancelSubscriptions: 50,
    checkpoint: 1_000,
    /** Events of one write that one statement inserts. */
    events: 8,
    commit: 64,
    endSessions: 500,
    /** Payment requests of an erased customer per transaction, such batches at once and per run, answers per read. */
    erase: { rows: 100, atOnce: 6, runs: 200, answers: 500 },
    healJobs: 1_000,
    healPayments: 100,
    jobs: 20,
    /** Ids of ledger accounts, or of accounts, in one statement. */
    ledgerIds: 128,
    /** Payment requests that a merged customer gives to its survivor per transaction, and such batches per run. */
    merge: { rows: 500, runs: 20 },
    retention: 500,
    /** Audit entries that one seal signs. */
    seal: 500,
    /** Metadata entries of a transaction that one statement indexes. */
    tags: 16,
    users: 500,
  },
} as const;
