BEGIN TRANSACTION;
CREATE TABLE answers (
    number INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, stage INTEGER NOT NULL, at REAL NOT NULL,
    outcome TEXT NOT NULL, size INTEGER NOT NULL, cached INTEGER NOT NULL, best INTEGER, config TEXT);
INSERT INTO "answers" VALUES(1,1,0,0.6043,'pass',56,0,NULL,'0 8');
INSERT INTO "answers" VALUES(2,1,0,0.6378,'pass',86,0,NULL,'0 12');
INSERT INTO "answers" VALUES(3,1,0,0.7086,'fail',113,0,NULL,'0 14');
INSERT INTO "answers" VALUES(4,1,0,0.7427,'fail',105,0,113,'0 13');
INSERT INTO "answers" VALUES(5,1,0,0.7761,'fail',19,0,105,'12 13');
INSERT INTO "answers" VALUES(6,1,1,0.7972,'pass',9,0,19,'0 4');
INSERT INTO "answers" VALUES(7,1,1,0.8112,'fail',18,0,19,'0 6');
CREATE TABLE contents (name TEXT PRIMARY KEY, data BLOB NOT NULL);
INSERT INTO "contents" VALUES('original',X'667801CBC9CC4B5530E0CA01518610CA08421943281308650AA1CC20943984B280509610CA10668C2157A2425269BA8E42A2424E62517AAA427E5E2A574946AA426A5E0A060D00A5E62692');
INSERT INTO "contents" VALUES('result',X'6678014B54482A4DD7514854C8492C4A4F55C8CF4B0500362B05FA');
CREATE TABLE evidence (digest BLOB NOT NULL, phase TEXT NOT NULL, printed TEXT NOT NULL);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO "facts" VALUES('baseline','{"oracle": {}, "rate": 1.0, "runs": 3, "seconds": 0.10517957499905606, "constant": true, "files": {}, "place": null, "program": {}, "said": ""}');
INSERT INTO "facts" VALUES('record','{"format": 1, "run": "{run}", "kind": "reduce", "first": "2026-11-20T01:55:01+00:00", "begun": "2026-11-20T01:55:01+00:00", "begun_at": 1795139701.9932907, "ended": "2026-11-20T01:55:02+00:00", "status": "interrupted", "attempt": 1, "process": "24578-18e99e0c3bfe5a56", "part": 0, "argv": ["reduce", "in.txt", "--test", "./check"], "cwd": "{folder}", "name": "in.txt", "shown": "in.txt", "language": null, "inputs": [{"kind": "file", "size": 129, "digest": "5e67615617b1af6508366c68ea08f7b6408e60409f7275366212170cffee4fdd"}], "versions": {"wynot": "0.1.0", "python": "3.11.7", "system": "Linux", "program": "{folder}/check"}, "by_hand": "{folder}/check in.txt", "notes": ["looking for: check exits 0"], "output": "{folder}/in.reduced.txt", "why": "interrupted", "looked_for": "check exits 0", "minimality": null, "weak": false, "atoms": "chars", "tests": 7, "baseline": 4, "cached": 0, "predicted": 0, "wall": 0.863, "rate": 1.0, "tested": "2026-11-20T01:55:02+00:00", "before": 129, "after": 18, "unit": "bytes", "view": {"causes": 1, "more": null, "tried": []}, "digests": {"result": "5ee4eb12369731f118c9d95b8797abf766e61be71b1d39c8415cfbd914e32cc4"}}');
INSERT INTO "facts" VALUES('summary','{"command": "reduce", "status": "interrupted", "minimality": null, "looked_for": "check exits 0", "tests": 7, "needed": 7, "cached": 0, "predicted": 0, "killed": 0, "killed_outside": 0, "repeated": 0, "baseline_tests": 4, "runs": 11, "from_run": null, "rate": 1.0, "error": null, "after_tests": 0, "outcomes": {"pass": 3, "fail": 4, "unresolved": 0}, "wall": 0.862381, "engine": 0.69634, "run": "{run}", "outputs": ["in.reduced.txt"], "atoms": "chars", "size_before": 129, "size_after": 18, "before": {"bytes": 129, "lines": 16, "tokens": 36}, "after": {"bytes": 18, "lines": 1, "tokens": 6}, "causes": [{"bytes": 18, "lines": 1, "tokens": 6}], "more": null, "weak": false, "tried": [], "failures": null}');
CREATE TABLE stages (
    attempt INTEGER NOT NULL, stage INTEGER NOT NULL, name TEXT NOT NULL, deltas INTEGER NOT NULL);
INSERT INTO "stages" VALUES(1,0,'lines',16);
INSERT INTO "stages" VALUES(1,1,'tokens',7);
CREATE TABLE tests (
    number INTEGER PRIMARY KEY, digest BLOB NOT NULL, outcome TEXT NOT NULL, why TEXT NOT NULL,
    size INTEGER NOT NULL, seconds REAL NOT NULL, cut INTEGER NOT NULL DEFAULT 0);
INSERT INTO "tests" VALUES(1,X'5E67615617B1AF6508366C68EA08F7B6408E60409F7275366212170CFFEE4FDD','fail','exit 0',129,3.67649439976958092302e-02,0);
INSERT INTO "tests" VALUES(2,X'5E67615617B1AF6508366C68EA08F7B6408E60409F7275366212170CFFEE4FDD','fail','exit 0',129,1.05179574999056058004e-01,0);
INSERT INTO "tests" VALUES(3,X'5E67615617B1AF6508366C68EA08F7B6408E60409F7275366212170CFFEE4FDD','fail','exit 0',129,5.50570369996421504765e-02,0);
INSERT INTO "tests" VALUES(4,X'5E67615617B1AF6508366C68EA08F7B6408E60409F7275366212170CFFEE4FDD','fail','failed in 3 of 3 runs',129,1.05179574999056058004e-01,0);
INSERT INTO "tests" VALUES(5,X'0E5751C026E543B2E8AB2EB06099DAA1D1E5DF47778F7787FAAB45CDF12FE3A8','pass','exit 1',0,4.72313649988791439682e-02,0);
INSERT INTO "tests" VALUES(6,X'A0A202B22D4B2BBACFA33410F115FD66BA6921A961B5EA670A4D7AB079BC604B','pass','exit 1',56,1.80906819987285416573e-02,0);
INSERT INTO "tests" VALUES(7,X'7ABA752C2AD74BDCDB2726F96E727EB6728E555EF4D9E38A30A0A1169E4A9075','pass','exit 1',86,3.29109970007266383618e-02,0);
INSERT INTO "tests" VALUES(8,X'2FE740D82DFD64734E17BBC8C0344E3388F96E459621DB83FA66C4A750BC40A5','fail','exit 0',113,0.0701526519987965,0);
INSERT INTO "tests" VALUES(9,X'0799607F76E95FEB8DCB9BB6C52EFBEFEF2AC505260C7DA9332912D5A792FF69','fail','exit 0',105,3.33913619979284703731e-02,0);
INSERT INTO "tests" VALUES(10,X'B7625D94E9FDECC48744F7D2DBB766F593E4C1764ACA6B8A7487B7DF8D3A3515','fail','exit 0',19,3.2625260999338934198e-02,0);
INSERT INTO "tests" VALUES(11,X'7F32AE761193F25403EAF7865F4B3DFA9BA892F176C39B3FE7D96F0BBD6F037C','pass','exit 1',9,2.01730580010917037725e-02,0);
INSERT INTO "tests" VALUES(12,X'5EE4EB12369731F118C9D95B8797ABF766E61BE71B1D39C8415CFBD914E32CC4','fail','exit 0',18,1.3398307997704250738e-02,0);
COMMIT;
