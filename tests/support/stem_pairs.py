"""Pairs of stems written by hand: the same question reworded, and other questions on its topic."""

SAME = (
    (
        "A clinic in Oslo compares 240 patients who took the new statin with 310 who did not. Sicker "
        "patients were more likely to be given the drug. What does the lower crude survival of the "
        "treated show?",
        "A clinic in Leeds compares 412 patients who took the new statin with 198 who did not. Sicker "
        "patients were more often given the drug. What does the lower crude survival of the treated show?",
    ),
    (
        "Two analysts look at a wage survey. Ms Berg adjusts for occupation, Mr Kane does not. Education "
        "raises wages partly through occupation. Whose estimate is the total effect of education?",
        "Two analysts look at a wage survey. Dr Ito adjusts for occupation, Dr Vance does not. Education "
        "raises wages in part through occupation. Whose estimate is the total effect of education?",
    ),
    (
        "In a graph with edges X -> M, M -> Y, U -> M and U -> Y, which sets block every back-door path "
        "from M to Y when U is measured?",
        "In a graph with edges T -> N, N -> Z, W -> N and W -> Z, which sets block every back-door path "
        "from N to Z when W is measured?",
    ),
    (
        "Of 500 dairy farms, those that joined the welfare scheme had fewer cases of mastitis the next "
        "year. Only farms with an unusually bad year were invited. How much of the fall is due to the "
        "scheme?",
        "Of 800 dairy farms, those that joined the welfare scheme had fewer cases of mastitis in the next"
        " year. Only farms that had an unusually bad year were invited. How much of the drop is due to "
        "the scheme?",
    ),
    (
        "A factory replaces the filters on its oldest machines and later finds that these break down less"
        " often than before. What would the breakdowns have done without new filters?",
        "A factory replaces filters on its oldest machines, and finds later that these break down less "
        "often than before. What would breakdowns have done without the new filters?",
    ),
)

OTHER = (
    (
        "A clinic compares patients who took the new statin with those who did not. Sicker patients were "
        "more likely to be given the drug. What does the lower crude survival of the treated show?",
        "Patients who fill their statin prescriptions live longer than those who stop. Stopping often "
        "follows a first diagnosis of cancer. What can be said about the drug and survival?",
    ),
    (
        "Two analysts look at a wage survey. Ms Berg adjusts for occupation, Mr Kane does not. Whose "
        "estimate is the total effect of education?",
        "Two analysts argue over bird counts near wind farms. One compares each site with itself before "
        "the turbines came, the other with untouched sites nearby. Whose comparison holds?",
    ),
    (
        "In a graph with edges X -> M, M -> Y, U -> M and U -> Y, which sets block every back-door path "
        "from M to Y?",
        "In a graph with edges A -> B, C -> B and C -> D, how many paths from A to D are open once B is "
        "held fixed?",
    ),
    (
        "Of 500 dairy farms, those that joined the welfare scheme had fewer cases of mastitis the next "
        "year. Only farms with an unusually bad year were invited.",
        "Of 90 bakeries, those that hired a consultant sold more bread the next year. Every bakery was "
        "free to hire one, and those with money to spare did.",
    ),
    (
        "The table gives recovery by treatment and severity. What is the recovery rate if everybody is "
        "treated, standardised to the severity of all patients?",
        "The table gives employment by training and region. What share of the trained would have found "
        "work without the training, if region is the only confounder?",
    ),
    (
        "Only cars that came back from the rally were inspected, and their damage is mostly at the doors."
        " Which parts should be reinforced?",
        "Only firms that still exist after ten years answered the survey, and most of them took large "
        "risks at first. What does that say about taking risks?",
    ),
    (
        "A hospital screens smokers for lung cancer, and those who come live longer after diagnosis than "
        "those who do not. Which of the statements below about screening and survival is most accurate?",
        "A hospital gives oxygen to patients with severe asthma, and those who get it die more often than "
        "the others. Which of the statements below about oxygen and survival is most accurate?",
    ),
)
