import { createObjectWords } from './everyday-objects.ts';
import { parsePhrases } from './phrase-matching.ts';
import { animals } from './prohibited-animals.ts';
import { not, type ProhibitedItemRule, sells, unambiguous } from './prohibited-item-rule.ts';
import { alcohol, controlledSubstances, tobacco } from './prohibited-substances.ts';
import { weapons } from './prohibited-weapons.ts';

const brands =
  'nike|jordan|jordans|yeezy|yeezys|gucci|rolex|louis|lv|prada|chanel|dior|airpods|supreme|designer|bag|bags|purse|watch|watches|shoes|sneakers|jersey|jerseys|hermes|balenciaga|cartier|ugg|uggs|lululemon|moncler|dunk|dunks|dunks';

const illegalGoods: ProhibitedItemRule = {
  ...unambiguous,
  guideline: 'illegal_goods',
  items: parsePhrases(`
    fake|replica|replicas|counterfeit|knockoff|bootleg|superfake|rep|reps ${brands}|ticket|tickets|money|bills
    fake|replica|counterfeit … ticket|tickets
    ${brands} … rep|reps|replica|replicas|superfake|knockoff
    counterfeit|counterfeits
    stolen
    pirated|cracked software|photoshop|adobe|office|windows|games
  `),
  clear: parsePhrases(`
    fake|scannable|novelty id|ids|license|licenses
    fake|scannable|novelty i d
    fake driver|drivers license
    counterfeit money|bills|bag|bags|shoes
  `),
  harmless: parsePhrases(`
    ${not} … fake|replica|counterfeit|stolen|knockoff
    stolen … novel|book|paperback
    was|got|were stolen
    stolen base|bases|focus
    margiela replica
    replica jersey|jerseys
  `),
  objects: new Set(),
  ambiguousIn: { textbooks: parsePhrases('stolen') },
};

const prescriptions =
  'adderall|adderal|addreall|aderall|addy|addys|addies|ritalin|vyvanse|concerta|xanax|xannax|valium|klonopin|ativan|oxycodone|oxycontin|percocet|percocets|percs|vicodin|hydrocodone|viagra|cialis|ozempic|semaglutide|tirzepatide|wegovy|mounjaro|zepbound|accutane|isotretinoin|tretinoin|tramadol|codeine|modafinil|provigil|focalin|strattera|dexedrine|methylphenidate|lisdexamfetamine|alprazolam|clonazepam|lorazepam|gabapentin|lexapro|zoloft|prozac|trazodone|amoxicillin|azithromycin|antibiotic|antibiotics|albuterol|prednisone|finasteride|testosterone';
const medicineNames = `
  ${prescriptions}
  prescription drug|drugs|pill|pills|medication|medications|meds|medicine
  steroids|insulin|epipen|epipens|inhaler|inhalers|syringe|syringes|cpap|nebulizer|dexcom
  hearing aid|aids
  medical device|devices
  glucose monitor|monitors|meter
`;

const medicine: ProhibitedItemRule = {
  ...unambiguous,
  guideline: 'medicine',
  items: parsePhrases(medicineNames),
  clear: parsePhrases(`
    ${sells} … ${prescriptions}
    ${prescriptions} … pill|pills|mg|10mg|20mg|30mg|capsules|tablets
  `),
  harmless: parsePhrases(`
    insulin|epipen|inhaler|cpap cooler|case|pouch|bag|holder|free|cleaner
    injector|basting|marinade|flavor|food|glue|ink|icing|oral syringe|syringes
    syringe|syringes for … marinade|marinades|icing|ink|glue|crafts
    ${not} … steroids|medication
    medical device|devices … course|class|textbook|engineering|design
  `),
  objects: createObjectWords('case pouch sleeve cleaner organizer'),
  ambiguousIn: { textbooks: parsePhrases(medicineNames) },
  evidence: parsePhrases(`
    pill|pills|mg|10mg|20mg|30mg|40mg|50mg|capsules|caps|tablets
    # mg
  `),
};

/** Coursework with names that mean little else. */
const plainCoursework =
  'essay|essays|paper|papers|homework|hw|assignment|assignments|exam|exams|quiz|quizzes|midterm|midterms|coursework|dissertation';
const coursework = `${plainCoursework}|final|finals|test|tests|lab|labs|thesis`;
const exams = 'exam|exams|quiz|quizzes|midterm|midterms|final|finals';

const services: ProhibitedItemRule = {
  ...unambiguous,
  guideline: 'services',
  items: parsePhrases(`
    essay|paper writing service|services
    exam|exams|quiz|midterm|final answers|solutions|leaked
    ${exams} answer|answers|solution|solutions
    ${exams} with|w|and answers|solutions|answer|solution
    past|old|previous ${exams}
    past|old|previous ${exams} with|w|and answers|solutions
    homework|hw|assignment|assignments answers|solutions
    ${coursework} done|written for
    answer key|keys
    test bank|banks
    testbank|testbanks
    take|do your|ur ${exams}
    take|do your|ur online|proctored|final ${exams}|class|classes
    escort service|services
  `),
  clear: parsePhrases(`
    will|ill|can|i|we write|do|complete|finish|take your|ur|any ${coursework}
    will|ill|can|i|we write|do|complete|take your|ur … ${plainCoursework}
    will|ill|can|i write|do|complete|finish|take ${coursework} for you
    leaked exam|exams|midterm|final
  `),
  harmless: parsePhrases(`
    answer key|keys … textbook|workbook|included
    textbook|workbook|review|prep … answer key|keys
    past|old|previous ${exams} prep|review|blue|scantron|scantrons|pads
    sat|act|gre|lsat|mcat|gmat|bar|ap … ${exams}|answer|test|tests
    ${not} … answer|answers
    you can|could|will write|do|complete|finish|take your|ur … ${coursework}
    you can|could|will write|do|complete|finish|take your|ur ${coursework}
  `),
  objects: new Set(),
};

const onlineServices =
  'netflix|spotify|hulu|disney|hbo|max|chegg|quizlet|coursehero|steam|playstation|psn|xbox|fortnite|roblox|valorant|genshin|minecraft|overwatch|instagram|insta|ig|tiktok|tinder|bumble|linkedin|chatgpt|claude|canva|grammarly|amazon|prime|youtube|uber|doordash|edu|gmail|student|premium|plus|discord|twitter|snapchat|league|clans|royale';

const identities: ProhibitedItemRule = {
  ...unambiguous,
  guideline: 'identities',
  items: parsePhrases(`
    student|university|college|campus id|ids
    student card|cards
    id card|cards
    ${onlineServices} account|accounts|acc|login|logins
    account|accounts for sale
  `),
  clear: parsePhrases(`
    ${sells} … student id|ids
    ${sells} … account|accounts
    ${sells} … id card|cards
    borrow|rent|rental|renting|lend|lending … student id|ids
  `),
  harmless: parsePhrases(`
    id|ids|card|cards holder|case|lanyard|sleeve|wallet|badge|reel|required|needed|check|necessary
    need|needs|bring|show|with|have|valid|requires|require|must … student|university|college|campus id|ids
    savings|bank|checking account|accounts
    account|accounts|login not
    ${not} … account|accounts
  `),
  objects: createObjectWords('case sleeve badge clip clips reel reels pouch protector'),
  ambiguous: parsePhrases(`
    account|accounts|acc|login|logins
  `),
  evidence: parsePhrases(`
    skins|skin|followers|gems|level|lvl|rank|ranked|immortal|diamond|premium|lifetime|subscription|shared|yr|year
  `),
};

/** The rules of all guidelines on the Guidelines page. */
export const prohibitedItemRules: readonly ProhibitedItemRule[] = [
  alcohol,
  tobacco,
  controlledSubstances,
  weapons,
  illegalGoods,
  medicine,
  services,
  identities,
  animals,
];

/** Phrases in a listing that make the posting form show the guideline about tickets. */
export const ticketPhrases = parsePhrases(`
  ticket|tickets|tix
`);
