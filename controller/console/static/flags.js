// The flag of a federation, from the code that FIDE has for it: as two letters of Unicode's flags, most of which are those
// of ISO 3166. Where there is no flag, as for players without a federation, the code itself is enough.

const CODES = `AFG:AF ALB:AL ALG:DZ AND:AD ANG:AO ANT:AG ARG:AR ARM:AM ARU:AW AUS:AU AUT:AT AZE:AZ BAH:BS BAN:BD BAR:BB BDI:BI
BEL:BE BER:BM BHU:BT BIH:BA BIZ:BZ BLR:BY BOL:BO BOT:BW BRA:BR BRN:BH BRU:BN BUL:BG BUR:BF CAF:CF CAM:KH CAN:CA CAY:KY CHA:TD
CHI:CL CHN:CN CIV:CI CMR:CM COD:CD COL:CO COM:KM CPV:CV CRC:CR CRO:HR CUB:CU CYP:CY CZE:CZ DEN:DK DJI:DJ DMA:DM DOM:DO ECU:EC
EGY:EG ERI:ER ESA:SV ESP:ES EST:EE ETH:ET FAI:FO FIJ:FJ FIN:FI FRA:FR GAB:GA GAM:GM GCI:GG GEO:GE GEQ:GQ GER:DE GHA:GH GRE:GR
GRN:GD GUA:GT GUM:GU GUY:GY HAI:HT HKG:HK HON:HN HUN:HU INA:ID IND:IN IOM:IM IRI:IR IRL:IE IRQ:IQ ISL:IS ISR:IL ISV:VI ITA:IT
IVB:VG JAM:JM JCI:JE JOR:JO JPN:JP KAZ:KZ KEN:KE KGZ:KG KOR:KR KOS:XK KSA:SA KUW:KW LAO:LA LAT:LV LBA:LY LBN:LB LBR:LR LCA:LC
LES:LS LIE:LI LTU:LT LUX:LU MAC:MO MAD:MG MAR:MA MAS:MY MAW:MW MDA:MD MDV:MV MEX:MX MGL:MN MKD:MK MLI:ML MLT:MT MNC:MC MNE:ME
MOZ:MZ MRI:MU MTN:MR MYA:MM NAM:NA NCA:NI NED:NL NEP:NP NGR:NG NIG:NE NOR:NO NRU:NR NZL:NZ OMA:OM PAK:PK PAN:PA PAR:PY PER:PE
PHI:PH PLE:PS PLW:PW PNG:PG POL:PL POR:PT PUR:PR QAT:QA ROU:RO RSA:ZA RUS:RU RWA:RW SEN:SN SEY:SC SGP:SG SKN:KN SLE:SL SLO:SI
SMR:SM SOL:SB SOM:SO SRB:RS SRI:LK SSD:SS STP:ST SUD:SD SUI:CH SUR:SR SVK:SK SWE:SE SWZ:SZ SYR:SY TAN:TZ THA:TH TJK:TJ TKM:TM
TLS:TL TOG:TG TPE:TW TTO:TT TUN:TN TUR:TR UAE:AE UGA:UG UKR:UA URU:UY USA:US UZB:UZ VAN:VU VEN:VE VIE:VN VIN:VC YEM:YE ZAM:ZM
ZIM:ZW`;
const COUNTRIES = new Map(CODES.split(/\s+/).map((each) => each.split(":")));
const PARTS = new Map([["ENG", "gbeng"], ["SCO", "gbsct"], ["WLS", "gbwls"]]); // of the United Kingdom

/** Whether flags are drawn here: else their two letters stand side by side, or are boxes. */
const DRAWN = (() => {
  const pen = document.createElement("canvas").getContext("2d");
  return pen.measureText("\u{1f1eb}\u{1f1f7}").width < 1.5 * pen.measureText("\u{1f1eb}").width;
})();

/** The flag, to stand before the code; empty where there is none. */
export function flag(federation) {
  if (!DRAWN) return "";
  const country = COUNTRIES.get(federation);
  if (country) return String.fromCodePoint(...[...country].map((letter) => 0x1f1a5 + letter.charCodeAt(0)));
  const part = PARTS.get(federation);
  return part ? String.fromCodePoint(0x1f3f4, ...[...part].map((letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f) : "";
}
