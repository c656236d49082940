"""The stories of the front door: a choice with a hidden motive, and what carries its effect onwards."""

from __future__ import annotations

from assay.causal.concepts.front_door.scene import Scene

SCENES = (
    Scene(
        "vineyards",
        "a wine region's extension office",
        "vineyards",
        "sowed clover between the rows",
        "left the soil bare",
        "won a medal",
        "soil nitrogen",
        "low nitrogen",
        "high nitrogen",
        "Ambitious owners sow clover more readily, and ambition, of which there is no record, wins medals "
        "by way of the cellar; it leaves the nitrogen alone",
        "Owners who like the look of flowers sow clover more readily, and that taste counts for nothing "
        "with wine or soil",
        "Clover acts on the wine through the nitrogen and in no other way",
        "Clover also draws pests away from the grapes, which helps the wine whatever the nitrogen",
        "Old sheep tracks that no map shows have a strong say in the nitrogen, and none in the wine but "
        "by it",
        "Old riverbeds that no map shows have a strong say in the nitrogen, and they also warm the grapes",
    ),
    Scene(
        "newsletters",
        "an online bookshop",
        "customers",
        "subscribed to the newsletter",
        "did not subscribe",
        "bought a novel in spring",
        "the number of visits to the shop",
        "few visits",
        "many visits",
        "Avid readers subscribe more often and buy more at each visit; how avid somebody is cannot be "
        "seen, and it does not change how often they come",
        "People whose mailbox is rarely full subscribe more often; the state of a mailbox has no bearing "
        "on visits or purchases",
        "A newsletter can lead to a purchase by leading to visits, and not otherwise",
        "The newsletter holds a voucher besides, which makes a purchase likelier at any number of visits",
        "A browser plug-in that the shop cannot detect multiplies visits, and purchases only as far as "
        "visits do",
        "Leisure time that the shop cannot observe multiplies visits, and by itself it sells novels",
        "who",
    ),
    Scene(
        "night-school",
        "a county's adult schools",
        "learners",
        "enrolled in the evening class",
        "studied on their own",
        "found a better job",
        "the level of the certificate",
        "basic certificate",
        "advanced certificate",
        "Those with well-connected families enrol more often and find better jobs; connections are on no "
        "form, and certificates, marked blindly, owe nothing to them",
        "Those who live near the school enrol more often, and the distance is nothing to certificates or "
        "employers",
        "Employers see nothing of the class but the certificate, so the class works through that alone",
        "In class one meets people who know of vacancies, a help beside the certificate",
        "How kind the examiner on duty was, a thing nobody wrote down, settles many certificates and not "
        "a single job otherwise",
        "How gifted a learner is, a thing nobody wrote down, settles many certificates and impresses "
        "employers in person",
        "who",
    ),
    Scene(
        "ferries",
        "a coastguard statistics unit",
        "ferry crossings",
        "took the northern channel",
        "took the southern channel",
        "were reported as rough by passengers",
        "exposure to swell",
        "sheltered",
        "exposed",
        "Cautious captains choose the northern channel and also steer more gently; caution is not logged "
        "and does nothing to the swell",
        "Captains born on the north shore choose the northern channel more often, and birthplaces are "
        "nothing to swell or passengers",
        "The channel matters to passengers by the swell that it exposes them to, and by nothing else",
        "The northern channel also has sharp bends, which passengers feel at any swell",
        "A sandbank that shifts unseen governs much of the swell, and passengers notice it through the "
        "swell alone",
        "A storm front that is not in the data governs much of the swell, and it frightens passengers in "
        "its own right",
    ),
    Scene(
        "standing-desks",
        "an office landlord's research group",
        "office workers",
        "ordered a standing desk",
        "kept the ordinary desk",
        "reported back pain in the autumn",
        "sitting time",
        "few hours",
        "many hours",
        "People with old injuries order the desk more often and have more pain; injuries are private and "
        "do not change the hours that they sit",
        "People on the upper floors order the desk more often, for a salesman began there; floors have to "
        "do with neither hours nor backs",
        "A desk has no means of acting on a back except through sitting time",
        "The desk also comes with a foot mat, and that acts on backs whatever the sitting time",
        "Which meeting rooms lack chairs, a matter nobody tracks, decides a lot about sitting time and "
        "touches backs through these only",
        "How heavy a workload is, a matter nobody tracks, decides a lot about sitting time and tenses "
        "backs as well",
        "who",
    ),
    Scene(
        "seed-banks",
        "a botanical garden",
        "seed lots",
        "were stored in the new vault",
        "were stored in the old vault",
        "germinated after ten years",
        "moisture content",
        "dry",
        "moist",
        "Curators prefer the new vault for lots that they sense to be vigorous, and vigour, never "
        "measured, makes seeds germinate; it does not alter their moisture",
        "Curators prefer the new vault for lots in blue boxes, and the colour of a box means nothing to "
        "moisture or germination",
        "The vaults differ for a seed in the moisture that they give it, and in nothing that could matter "
        "besides",
        "The new vault is darker too, which matters to seeds at any moisture",
        "Which worker sealed the bag went unrecorded; it makes a great difference to moisture and none to "
        "germination on top of that",
        "How ripe the seed was went unrecorded; it makes a great difference to moisture and a further one "
        "to germination",
    ),
    Scene(
        "chess-openings",
        "a chess federation",
        "tournament games",
        "were opened with the gambit",
        "were opened quietly",
        "were won by White",
        "time pressure on Black",
        "ample time",
        "little time",
        "Players in good form choose the gambit and win more; form is not in the database, and it does "
        "not take time from Black",
        "Players who drew an odd table number choose the gambit out of superstition, and table numbers "
        "win nothing and take no time",
        "After twenty moves the gambit's sole trace is the time that it has cost Black",
        "Apart from time, the gambit leaves White with the better bishops",
        "A fault in some clocks that was found too late cost Black much time, and it did nothing else to "
        "the games",
        "A lack of sleep among some with Black, which nobody noted, cost them much time and made them "
        "blunder besides",
    ),
    Scene(
        "inhalers",
        "a network of lung practices",
        "asthma patients",
        "chose the smart inhaler",
        "chose the plain inhaler",
        "went without an attack for a year",
        "the regularity of doses",
        "irregular",
        "regular",
        "Patients in cleaner homes choose the smart inhaler more often and have fewer attacks; homes were "
        "not inspected and do not make doses any more regular",
        "Patients who own a recent phone choose the smart inhaler more often; a phone bears on neither "
        "doses nor attacks",
        "Since both hold the same drug, the choice can matter through the regularity of doses and not "
        "otherwise",
        "The smart inhaler also warns of pollen, so that patients avoid it, however regular the doses",
        "The hours of the local pharmacy, on no record, affect regularity a good deal, and attacks just "
        "through it",
        "A patient's forgetfulness, on no record, affects regularity a good deal, and makes for attacks "
        "by windows left open",
        "who",
    ),
    Scene(
        "recycling",
        "a city's waste authority",
        "blocks of flats",
        "asked for the colour-coded bins",
        "kept the grey bins",
        "passed the sorting inspection",
        "the share of waste sorted",
        "little sorted",
        "much sorted",
        "Caretakers with influence ask for the bins and get lenient inspectors; influence is not "
        "documented and sorts no waste",
        "Caretakers with a liking for colour ask for the bins, and their liking neither sorts waste nor "
        "moves inspectors",
        "What inspectors get to see is the waste, so that the bins count through the share sorted and "
        "nothing else",
        "Inspectors are won over by the look of the bins as well, at any share sorted",
        "A nearby scrap dealer, whom the authority does not know of, has a large influence on what is "
        "sorted, but no more than that",
        "A resident who campaigns, whom the authority does not know of, has a large influence on what is "
        "sorted and on inspectors",
    ),
    Scene(
        "court-mediators",
        "a ministry of justice",
        "civil disputes",
        "went to mediation first",
        "went straight to court",
        "were settled within a year",
        "the number of open claims",
        "few claims",
        "many claims",
        "Parties on good terms go to mediation more often and settle sooner; their terms are in no file "
        "and do not alter the number of claims",
        "Parties whose lawyer has an office near the mediators go there more often, and offices neither "
        "alter claims nor settle anything",
        "A mediation has come and gone by the time that counts; it can speed things by the claims it has "
        "closed, and by nothing else",
        "A mediation also lets off steam, which speeds things at any number of claims",
        "A change in the form for filing, forgotten by now, had much to do with the number of claims, and "
        "with settling through that at most",
        "The greed of a party, which cannot be measured, has much to do with the number of claims, and "
        "with settling quite apart from that",
    ),
)
